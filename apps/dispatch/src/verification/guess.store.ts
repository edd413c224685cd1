import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '@watchword/platform';
import { withDue } from '@watchword/bus';
import { crashPoint } from '@watchword/observability';
import { type Queryable, statement } from '@watchword/postgres';
import { databaseJson } from '../messages/database-json.js';
import { MessageStore } from '../messages/message.store.js';
import type { MessageWrite } from '../messages/message-write.js';
import { idsOf, type WrittenIds, type WrittenRow } from '../messages/outgoing-rows.js';
import type { CountedGuesses, GuessCount, PhoneNumber } from './guess-cap.policy.js';
import { isVerdict, verdictColumns } from './verdict-columns.js';

const read = statement(
  'dispatch_read_guesses',
  `SELECT n.workspace_id AS "workspaceId", n.destination, n.wrong_count AS "wrongCount",
     n.last_wrong_at AS "lastWrongAt"
   FROM unnest($1::uuid[], $2::text[]) AS i (workspace_id, destination)
   JOIN guessed_numbers n USING (workspace_id, destination)`,
);

const verify = statement(
  'dispatch_judge_messages',
  `SELECT dispatch.judge_messages(
     ${withDue('$7', '$1::json')}, $2, $3, $4, $5, $6, $8, $9) AS id`,
  'once',
);

const verdicts = statement(
  'dispatch_write_verdicts',
  `SELECT dispatch.write_verdicts(${withDue('$1', '$2::uuid[]')},
     $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) AS written`,
  'once',
);

/** Counts of wrong codes, written together with the messages of those codes. */
@Injectable()
export class GuessStore {
  constructor(
    @Inject(DATABASE) private readonly database: Queryable,
    @Inject(MessageStore) private readonly messages: MessageStore,
  ) {}

  /** Returns the ids of the messages that were written, as `MessageStore.update` does. */
  async update(
    writes: readonly MessageWrite[],
    guesses: readonly CountedGuesses[],
    judgedAt: Date,
  ): Promise<Set<string>> {
    if (writes.every(isVerdict)) return this.writeVerdicts(writes, guesses, judgedAt);
    if (guesses.length === 0) return this.messages.update(writes);
    return this.messages.updateWith(writes, async (update) => {
      const parameters = [...update, databaseJson(guesses), judgedAt];
      crashPoint('dispatch.verify.before-commit');
      const { rows } = await this.database.query<WrittenRow>(verify, parameters);
      crashPoint('dispatch.verify.after-commit');
      return rows;
    });
  }

  private writeVerdicts(
    unsorted: readonly MessageWrite[],
    guesses: readonly CountedGuesses[],
    judgedAt: Date,
  ): Promise<Set<string>> {
    return this.messages.writeWith(unsorted, async (writes, outgoing, due) => {
      const parameters = [due, ...verdictColumns(writes, guesses, judgedAt, outgoing)];
      crashPoint('dispatch.judge.before-commit');
      const { rows } = await this.database.query<WrittenIds>(verdicts, parameters);
      crashPoint('dispatch.judge.after-commit');
      return idsOf(rows, writes);
    });
  }

  async read(numbers: readonly PhoneNumber[]): Promise<GuessCount[]> {
    if (numbers.length === 0) return [];
    const { rows } = await this.database.query<GuessCount>(read, [
      numbers.map(({ workspaceId }) => workspaceId),
      numbers.map(({ destination }) => destination),
    ]);
    return rows;
  }
}
