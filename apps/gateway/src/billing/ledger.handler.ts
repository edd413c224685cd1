import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  callRoute,
  type Clock,
  inputMessage,
  type LedgerEntry,
  type LedgerQuery,
  type Page,
  routes,
  type Statement,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { BILLING } from '../calls/billing-calls.js';
import { OWNERS, type Owners } from '../calls/owners.js';
import { CSV_HEADER, csvLine } from './ledger-csv.policy.js';

type LedgerPage = Page<LedgerEntry>;

/** The ledger of one workspace, read as a page or as a whole. */
export interface LedgerReading {
  page(): Promise<LedgerPage>;
  csv(): Promise<Readable>;
}

const CSV_PAGE = 200;
const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/** Ledgers of workspaces. */
@Injectable()
export class LedgerHandler {
  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getStatement'>,
    @Inject(OWNERS) private readonly owners: Pick<Owners, 'billing'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the sums of a month in UTC, written as `2026-11`. */
  async statement(workspaceId: WorkspaceId, month: string): Promise<Statement> {
    if (!MONTH.test(month)) throw unknownResource('statement');
    if (month > new Date(this.clock.now()).toISOString().slice(0, month.length)) {
      const message = inputMessage('month', 'futureMonth');
      throw new ApiError('validation_error', { field: 'month', message });
    }
    return this.billing.getStatement({ workspace_id: workspaceId, month });
  }

  of(workspaceId: WorkspaceId, query: LedgerQuery): LedgerReading {
    return {
      page: () => this.page(workspaceId, query),
      csv: () => this.csv(workspaceId, query),
    };
  }

  async page(workspaceId: WorkspaceId, query: LedgerQuery): Promise<LedgerPage> {
    const route = routes.listWorkspaceLedgerEntries;
    const asked = { workspace_id: workspaceId, query };
    const { body } = await callRoute<LedgerPage>(this.owners.billing, route, asked);
    return body!;
  }

  /**
   * Streams the whole ledger from the cursor on, one page in memory at a time. It reads the first
   * page before it answers, so a bad request still gets an error.
   */
  async csv(workspaceId: WorkspaceId, query: LedgerQuery): Promise<Readable> {
    const first = await this.page(workspaceId, { ...query, limit: CSV_PAGE });
    return Readable.from(this.lines(workspaceId, query, first));
  }

  private async *lines(
    workspaceId: WorkspaceId,
    query: LedgerQuery,
    first: LedgerPage,
  ): AsyncGenerator<string> {
    yield CSV_HEADER;
    for (let page = first; ;) {
      if (page.data.length > 0) yield page.data.map(csvLine).join('');
      const cursor = page.next_cursor;
      if (cursor === undefined) return;
      page = await this.page(workspaceId, { ...query, limit: CSV_PAGE, cursor });
    }
  }
}
