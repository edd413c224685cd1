import { Inject, Injectable } from '@nestjs/common';
import { EmailSettings } from '@watchword/config';
import type { DispatchCalls } from '@watchword/contracts';
import { asciiDomain, domainOfTrackingHost } from '@watchword/email';
import { DISPATCH } from '../calls/dispatch-calls.js';

/** Which host names below `links.` are of this installation. */
@Injectable()
export class LinkHostsHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'findLinkDomain'>,
    private readonly settings: EmailSettings,
  ) {}

  /** Only where a tracking host is set do domains have link hosts. */
  async isVerified(host: string): Promise<boolean> {
    if (this.settings.trackingHost === '') return false;
    const name = asciiDomain(domainOfTrackingHost(host) ?? '');
    if (name === null) return false;
    return (await this.dispatch.findLinkDomain({ name })).is_verified;
  }
}
