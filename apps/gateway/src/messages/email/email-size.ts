import { Inject, Injectable } from '@nestjs/common';
import {
  EMAIL_BYTES_MAX,
  type EmailCommand,
  type EmailContent,
  INPUT_PROBLEMS,
} from '@watchword/contracts';
import { linkSettingsOf } from '@watchword/config';
import { EmailComposer, linkBaseUrl, ownLinks, trackingBytesMax } from '@watchword/email';
import { PLATFORM, type Platform } from '@watchword/platform';
import { invalid } from './email-inputs.policy.js';
import { sizeBounds } from './size-bounds.policy.js';

type UnstoredEmail = Omit<EmailCommand, 'content_sha256'>;

const NIL_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Checks that the finished message fits, with the links of its longest copy. It is composed only
 * when an estimate does not decide, and then in a thread: 10 MiB of HTML take a quarter of a second
 * of CPU, which would block the event loop.
 */
@Injectable()
export class EmailSize {
  constructor(
    private readonly composer: EmailComposer,
    @Inject(PLATFORM) private readonly platform: Pick<Platform, 'config'>,
  ) {}

  async check(email: UnstoredEmail, content: EmailContent): Promise<void> {
    const links = ownLinks(email, largestOwner(email), {
      baseUrl: this.longestBase(email),
      secret: '',
    });
    const { html } = content;
    const linkBytes = links.tracking && html ? trackingBytesMax(html, links.tracking) : 0;
    const { from, to, cc, reply_to, subject, headers } = email;
    const headerTexts = [
      from,
      ...to,
      ...cc,
      ...reply_to,
      subject,
      ...Object.entries(headers).flat(),
    ];
    const { least, most } = sizeBounds(content, linkBytes, headerTexts);
    if (most <= EMAIL_BYTES_MAX) return;
    if (least <= EMAIL_BYTES_MAX) {
      const size = await this.composer.sizeOf({
        content: { from, to, cc, reply_to, subject, headers, ...content },
        messageId: 'size@localhost',
        dateMs: 0,
        ...links,
      });
      if (size <= EMAIL_BYTES_MAX) return;
    }
    throw invalid('attachments', INPUT_PROBLEMS.emailBytesMax(EMAIL_BYTES_MAX));
  }

  /**
   * Dispatch chooses the host when the email is sent: the domain's own, where its record is found,
   * or the platform's.
   */
  private longestBase({ from_domain: domain }: UnstoredEmail): string {
    const links = linkSettingsOf(this.platform.config);
    const [own, shared] = [linkBaseUrl(links, domain), linkBaseUrl(links, null)];
    return own.length > shared.length ? own : shared;
  }
}

/** Returns the recipient with the longest links. Only lengths matter here. */
function largestOwner({ recipients }: UnstoredEmail) {
  const [address = ''] = recipients.toSorted((one, other) => other.length - one.length);
  return { emailId: NIL_ID, workspaceId: NIL_ID, recipient: 0, address };
}
