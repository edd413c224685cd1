import { Inject, Injectable } from '@nestjs/common';
import type { SendMessage } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { LOGGER } from '@watchword/platform';

/** Logs the first line of a message. Later lines have the same id. */
@Injectable()
export class AcceptedLog {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  write({ message_id: id, workspace_id: workspaceId, kind, resend }: SendMessage): void {
    const messageId = resend?.otp_id ?? id;
    this.logger.info(
      { messageId, workspaceId, kind },
      resend ? 'resend accepted' : 'send accepted',
    );
  }
}
