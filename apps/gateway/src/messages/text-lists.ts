import { Inject, Injectable } from '@nestjs/common';
import { callRoute, type Page, type PageQuery, type Route } from '@watchword/contracts';
import { OWNERS, type Owners } from '../calls/owners.js';
import { RecentSends } from './recent-sends.js';
import type { Scope } from './scope.policy.js';

/** Lists codes or SMS for routes of the gateway, as dispatch's own routes do. */
@Injectable()
export class TextLists {
  constructor(
    @Inject(OWNERS) private readonly owners: Pick<Owners, 'dispatch'>,
    private readonly recent: RecentSends,
  ) {}

  async page<Item>(
    scope: Scope,
    route: Route,
    query: PageQuery & { readonly to?: string; readonly from?: string },
  ): Promise<Page<Item>> {
    const recent = query.cursor === undefined ? await this.recent.of(scope, 'texts') : [];
    const asked = { ...scope, query, recent_sends: [...recent] };
    const { body } = await callRoute<Page<Item>>(this.owners.dispatch, route, asked);
    return body ?? { data: [] };
  }
}
