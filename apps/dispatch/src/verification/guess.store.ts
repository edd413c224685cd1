import { type Queryable, statement } from '@watchword/postgres';
import type { GuessCount, PhoneNumber } from './guess-cap.policy.js';

const READ = statement(
  'dispatch_read_guesses',
  `SELECT n.workspace_id AS "workspaceId", n.destination, n.wrong_count AS "wrongCount",
     n.last_wrong_at AS "lastWrongAt"
   FROM unnest($1::uuid[], $2::text[]) AS i (workspace_id, destination)
   JOIN guessed_numbers n USING (workspace_id, destination)`,
);

/** Counts of wrong codes; they are written with the messages, by `MessageStore`. */
export class GuessStore {
  constructor(private readonly database: Queryable) {}

  async read(numbers: readonly PhoneNumber[]): Promise<GuessCount[]> {
    if (numbers.length === 0) return [];
    const { rows } = await this.database.query<GuessCount>(READ, [
      numbers.map(({ workspaceId }) => workspaceId),
      numbers.map(({ destination }) => destination),
    ]);
    return rows;
  }
}
