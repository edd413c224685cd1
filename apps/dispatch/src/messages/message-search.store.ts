import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import { statesMatching } from './message-list.policy.js';
import { VISIBLE_STATE } from './message-list.store.js';
import {
  type Found,
  Search,
  type SearchAsked,
  type Searched,
  SEARCHED_MAX,
} from './search-walk.js';

const MESSAGES: Searched = {
  table: 'messages',
  columns: `destination, kind, family || ':' || ${VISIBLE_STATE} AS status`,
  isTo: 'destination = $4',
  // The index has live and test messages of a number separately.
  rowsTo: `
    SELECT one.* FROM (VALUES (true), (false)) AS mode (is_test) CROSS JOIN LATERAL (
      SELECT * FROM messages
      WHERE destination = $1::text AND test_mode = mode.is_test AND id < $2::uuid
      ORDER BY id DESC LIMIT ${SEARCHED_MAX}) AS one`,
};

/** Codes and SMS, as operators and members search them. */
@Injectable()
export class MessageSearchStore {
  private readonly search: Search;

  constructor(@Inject(DATABASE) database: Queryable) {
    this.search = new Search(MESSAGES, database);
  }

  page(asked: SearchAsked, after: string | null): Promise<Found> {
    const { status } = asked;
    return this.search.page(asked, status === undefined ? null : statesMatching(status), after);
  }
}
