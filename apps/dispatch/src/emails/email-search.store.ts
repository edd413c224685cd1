import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { type Found, Search, type SearchAsked, type Searched } from '../messages/search-walk.js';

/** No index has the recipients: a search for one walks along the newest emails. */
const EMAILS: Searched = {
  table: 'emails',
  columns: `to_addresses, status, 'email' AS kind`,
  isTo: '$4 = ANY (to_addresses)',
};

/** Emails, as operators and members search them. */
@Injectable()
export class EmailSearchStore {
  private readonly search: Search;

  constructor(@Inject(DATABASE) database: Queryable) {
    this.search = new Search(EMAILS, database);
  }

  page(asked: SearchAsked, after: string | null): Promise<Found> {
    const { status } = asked;
    const folded = asked.to === undefined ? asked : { ...asked, to: asked.to.toLowerCase() };
    return this.search.page(folded, status === undefined ? null : [status], after);
  }
}
