import { Inject, Injectable } from '@nestjs/common';
import { callbackBaseUrlOf } from '@watchword/config';
import {
  type Domain,
  type ErrorType,
  type Page,
  PLATFORM_WORKSPACE_ID,
  type PlatformEmail,
  type Route,
  type RouteRequest,
  routes,
  unknownResource,
} from '@watchword/contracts';
import { parseMailbox } from '@watchword/email';
import { PLATFORM, type Platform } from '@watchword/platform';
import { platformNameOf } from '../../accounts/platform-name.js';
import { askRoute, OWNERS, type Owners } from '../../calls/owners.js';

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
    @Inject(OWNERS) private readonly owners: Pick<Owners, 'dispatch'>,
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
    return this.answer(
      await this.ask<Domain>(routes.verifyDomain, { parameters: { id: domain.id } }),
    );
  }

  /** Returns null where another process creates it at this moment. */
  async ensureDomain(): Promise<Domain | null> {
    const known = await this.findDomain();
    if (known !== null) return known;
    const body = { name: this.domainName };
    const made = await this.ask<Domain>(routes.createDomain, { body }, 'conflict');
    return made ?? this.findDomain();
  }

  private async findDomain(): Promise<Domain | null> {
    const query = { limit: DOMAINS_LOOKED_AT };
    const page = await this.ask<Page<Domain>>(routes.listDomains, { query });
    return page?.data.find(({ name }) => name === this.domainName) ?? null;
  }

  private ask<Body>(route: Route, request: RouteRequest, reason?: ErrorType): Promise<Body | null> {
    const asked = { ...request, workspace_id: PLATFORM_WORKSPACE_ID };
    return askRoute<Body>(this.owners.dispatch, route, asked, reason);
  }

  private answer(found: Domain | null): PlatformEmail {
    if (found === null) return { from: this.from, domain: null };
    const { project_id: _, ...domain } = found;
    return { from: this.from, domain };
  }
}
