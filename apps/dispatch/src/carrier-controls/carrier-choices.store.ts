import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import type { CarrierChoice } from '../routing/route-table.policy.js';

const read = statement(
  'dispatch_read_carrier_choices',
  'SELECT id, state, preferred_in AS "preferredIn" FROM carrier_choices',
);
/** Null leaves a value as it is. */
const change = statement(
  'dispatch_change_carrier_choice',
  `INSERT INTO carrier_choices (id, state, preferred_in)
   VALUES ($1, coalesce($2::text, 'active'), coalesce($3::text[], '{}'))
   ON CONFLICT (id) DO UPDATE SET
     state = coalesce($2::text, carrier_choices.state),
     preferred_in = coalesce($3::text[], carrier_choices.preferred_in)`,
);

/** Operators' decisions about carrier accounts. */
@Injectable()
export class CarrierChoicesStore {
  constructor(@Inject(DATABASE) private readonly database: Queryable) {}

  async read(): Promise<Map<string, CarrierChoice>> {
    const { rows } = await this.database.query<CarrierChoice & { id: string }>(read);
    return new Map(rows.map(({ id, ...choice }) => [id, choice]));
  }

  async change(id: string, { state, preferredIn }: Partial<CarrierChoice>): Promise<void> {
    await this.database.query(change, [id, state ?? null, preferredIn ?? null]);
  }
}
