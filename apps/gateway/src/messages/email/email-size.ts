import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  EMAIL_BYTES_MAX,
  type EmailCommand,
  type EmailContent,
  INPUT_PROBLEMS,
} from '@watchword/contracts';
import { EmailComposer } from '@watchword/email';
import { invalid } from './email-inputs.policy.js';
import { sizeBounds } from './size-bounds.policy.js';

/**
 * The finished message must fit. It is composed only when it could be too large and need not be, and then in
 * a thread: 10 MiB of HTML are a quarter of a second of a core, in which the event loop would answer nobody.
 */
@Injectable()
export class EmailSize implements OnApplicationShutdown {
  constructor(private readonly composer: EmailComposer) {}

  async check(email: Omit<EmailCommand, 'content_sha256'>, content: EmailContent): Promise<void> {
    const { least, most } = sizeBounds(content);
    if (most <= EMAIL_BYTES_MAX) return;
    if (least <= EMAIL_BYTES_MAX && (await this.sizeOf(email, content)) <= EMAIL_BYTES_MAX) return;
    throw invalid('attachments', INPUT_PROBLEMS.emailBytesMax(EMAIL_BYTES_MAX));
  }

  onApplicationShutdown(): Promise<void> {
    return this.composer.close();
  }

  private sizeOf(
    { from, to, cc, reply_to, subject, headers }: Omit<EmailCommand, 'content_sha256'>,
    content: EmailContent,
  ): Promise<number> {
    return this.composer.sizeOf({
      content: { from, to, cc, reply_to, subject, headers, ...content },
      messageId: 'size@localhost',
      dateMs: 0,
    });
  }
}
