import { Inject, Injectable } from '@nestjs/common';
import { MomentCursor, type MomentPosition } from '@watchword/contracts';
import { storedAddress } from '@watchword/email';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import {
  type ListAsked,
  type ListPage,
  pageOfWalk,
  WALKED_MAX,
  walkOf,
} from '../messages/list-walk.js';

export const emailCursors = new MomentCursor('email');

const WALK = walkOf('emails');

const list = statement(
  'dispatch_list_emails',
  `SELECT id, created_at AS "createdAt" FROM (
     SELECT id, created_at, status, to_addresses, from_address, tags, test_mode
     ${WALK} LIMIT ${WALKED_MAX}) AS walked
   WHERE ($6::text IS NULL OR status = $6)
     AND ($7::text IS NULL OR $7 = ANY (to_addresses))
     AND ($8::text IS NULL OR from_address = $8)
     AND ($9::text IS NULL OR $9 = ANY (tags))
     AND ($10::boolean IS NULL OR test_mode = $10)
     AND test_mode = coalesce($11, test_mode)
   ORDER BY created_at DESC, id DESC LIMIT $5`,
);

const walkEnd = statement(
  'dispatch_list_emails_walk_end',
  `SELECT id, created_at AS "createdAt" ${WALK} OFFSET ${WALKED_MAX - 1} LIMIT 1`,
);

/** Lists the emails of a workspace, newest first. */
@Injectable()
export class EmailListStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  page(
    asked: ListAsked & { readonly tag?: string | undefined },
    after: MomentPosition | null,
  ): Promise<ListPage> {
    const filters = [
      asked.status ?? null,
      asked.to === undefined ? null : storedAddress(asked.to),
      asked.from === undefined ? null : storedAddress(asked.from),
      asked.tag ?? null,
      asked.only_test_mode ?? null,
      asked.test_mode,
    ];
    return pageOfWalk(asked, after, {
      list: (values) => this.database.query(list, [...values, ...filters]),
      walkEnd: (values) => this.database.query(walkEnd, values),
    });
  }
}
