import { Inject, Injectable } from '@nestjs/common';
import { callbackBaseUrlOf } from '@watchword/config';
import {
  type DispatchCalls,
  PLATFORM_WORKSPACE_ID,
  type PlatformEmail,
  type SendingDomain,
  unknownResource,
} from '@watchword/contracts';
import { parseMailbox } from '@watchword/email';
import { PLATFORM, type Platform } from '@watchword/platform';
import { platformNameOf } from '../../accounts/platform-name.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';

type Calls = Pick<DispatchCalls, 'createDomain' | 'listDomains' | 'verifyDomain'>;

const DOMAINS_LOOKED_AT = 200;

/** The sender of emails to users: its mailbox, and its domain at dispatch. */
@Injectable()
export class PlatformSender {
  /** From the settings. Empty where the platform sends no email. */
  readonly from: string;
  /** Domain of `from`, in lower case. */
  readonly domainName: string;
  /** Name by which users know the platform. */
  readonly brand: string;
  /** Public address of the gateway, without a slash at the end. */
  readonly baseUrl: string;

  constructor(
    @Inject(PLATFORM) { config }: Platform,
    @Inject(DISPATCH) private readonly dispatch: Calls,
  ) {
    const parsed = parseMailbox(config.platformEmailFrom);
    const mailbox = parsed.ok ? parsed.mailbox : null;
    this.from = mailbox === null ? '' : config.platformEmailFrom;
    this.domainName = mailbox?.address.split('@').at(-1)?.toLowerCase() ?? '';
    this.brand = platformNameOf(config);
    this.baseUrl = config.publicBaseUrl.replace(/\/+$/, '') || callbackBaseUrlOf(config);
  }

  async read(): Promise<PlatformEmail> {
    if (this.from === '') return { from: null, domain: null };
    return this.answer(await this.ensureDomain());
  }

  async verify(): Promise<PlatformEmail> {
    const domain = this.from === '' ? null : await this.ensureDomain();
    if (domain === null) throw unknownResource('domain');
    const asked = { workspace_id: PLATFORM_WORKSPACE_ID, id: domain.id };
    const found = await this.dispatch.verifyDomain(asked);
    return this.answer('domain' in found ? found.domain : null);
  }

  /** Returns null where another process creates it at this moment. */
  async ensureDomain(): Promise<SendingDomain | null> {
    const known = await this.findDomain();
    if (known !== null) return known;
    const asked = {
      workspace_id: PLATFORM_WORKSPACE_ID,
      name: this.domainName,
      idempotency: null,
    };
    const made = await this.dispatch.createDomain(asked);
    return made.verdict === 'created' ? made.domain : this.findDomain();
  }

  private async findDomain(): Promise<SendingDomain | null> {
    const asked = {
      workspace_id: PLATFORM_WORKSPACE_ID,
      limit: DOMAINS_LOOKED_AT,
      before_id: null,
    };
    const { data } = await this.dispatch.listDomains(asked);
    return data.find(({ name }) => name === this.domainName) ?? null;
  }

  private answer(found: SendingDomain | null): PlatformEmail {
    if (found === null) return { from: this.from, domain: null };
    const { workspace_id: _, ...domain } = found;
    return { from: this.from, domain };
  }
}
