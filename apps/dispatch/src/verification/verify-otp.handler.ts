import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, DATABASE } from '@watchword/platform';
import { MicroBatcher } from '@watchword/batching';
import {
  type Clock,
  type IdempotencyClaim,
  isUuid,
  type MessageId,
  type VerifyResult,
} from '@watchword/contracts';
import { type DatabasePool, sqlState, statement, UNIQUE_VIOLATION } from '@watchword/postgres';
import type { Static } from '@sinclair/typebox';
import { otpOf } from '../channels/channels.js';
import { IdempotencyKeyStore } from '../messages/idempotency-key.store.js';
import type { Message } from '../messages/message.js';
import { writeOf } from '../messages/message-changes.handler.js';
import { MessageStore } from '../messages/message.store.js';
import type { KeyRow, MessageWrite } from '../messages/message-write.js';
import { isWithin, type Scope } from '../messages/scope.policy.js';
import { GuessTally } from './guess-cap.policy.js';
import { GuessStore } from './guess.store.js';
import { OtpSecrets } from './otp-secrets.js';
import { verified } from './verify-otp.policy.js';

/**
 * Verifies codes, many guesses at a time. Guesses that come together are judged in memory in order
 * of arrival and written in one statement. The statement leaves out messages that another process
 * changed meanwhile; their guesses are judged again. So each counted guess saw the count before it.
 *
 * Rounds:
 * 1. The first judges messages as this process last saw them, which saves a read, and without the
 *    counts of their numbers. What it would not write is judged again, because the memory may be
 *    out of date.
 * 2. Later rounds read messages and counts. The write leaves out messages with a number close to
 *    the guessing cap or barred, so these come here.
 */
export interface Guess extends Scope {
  readonly otpId: MessageId;
  readonly code: string;
  readonly idempotency: Static<typeof IdempotencyClaim> | null;
}

type Claimed = Pick<Guess, 'workspaceId' | 'idempotency'>;

const BATCH_SIZE_MAX = 128;
const QUEUE_MAX = 20_000;
const ROUNDS_MAX = 50;

/**
 * A durable commit without a change, which costs as much as a counted guess. Without it an unknown
 * id would be answered faster than a known one.
 */
const commitNothing = statement(
  'dispatch_commit_nothing',
  `SELECT pg_logical_emit_message(true, 'watchword', '')`,
  'once',
);

@Injectable()
export class VerifyOtpHandler {
  private readonly batcher: MicroBatcher<Guess, VerifyResult>;

  constructor(
    @Inject(MessageStore) private readonly store: MessageStore,
    private readonly keys: IdempotencyKeyStore,
    private readonly guesses: GuessStore,
    private readonly secrets: OtpSecrets,
    @Inject(DATABASE) private readonly database: DatabasePool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.batcher = new MicroBatcher({
      name: 'dispatch.verify',
      flush: (guesses) => this.judge(guesses),
      sizeMax: BATCH_SIZE_MAX,
      queueMax: QUEUE_MAX,
    });
  }

  verify(guess: Guess): Promise<VerifyResult> {
    return this.batcher.submit(guess);
  }

  /** Returns the stored answer of an idempotency key, without a guess. */
  async find(claimed: Claimed): Promise<VerifyResult | null> {
    const name = keyNameOf(claimed);
    const [known] = name ? await this.keys.find([name], new Date(this.clock.now())) : [];
    return known ? replayOf(known, claimed) : null;
  }

  /** Returns the message as this process last saw it. Null if it did not, or outside the scope. */
  recent(id: MessageId, within: Scope): Message | null {
    const message = this.store.recent.get(id);
    return message && otpOf(message) && isWithin(message, within) ? message : null;
  }

  drain(): Promise<void> {
    return this.batcher.drain();
  }

  private async judge(guesses: readonly Guess[]): Promise<VerifyResult[]> {
    const results = new Map<Guess, VerifyResult>();
    for (let round = 1; results.size < guesses.length; round += 1) {
      if (round > ROUNDS_MAX) throw new Error('a code changes faster than it can be verified');
      const open = guesses.filter((guess) => !results.has(guess));
      await this.round(open, results, round > 1);
    }
    return guesses.map((guess) => results.get(guess) ?? { outcome: 'not_found' });
  }

  private async round(
    open: readonly Guess[],
    results: Map<Guess, VerifyResult>,
    isRepeated: boolean,
  ): Promise<void> {
    const at = new Date(this.clock.now());
    const claims = open.flatMap((guess) => keyNameOf(guess) ?? []);
    const recent = isRepeated ? new Map<string, Message>() : this.recentOf(open);
    const missing = open
      .filter(({ otpId }) => isUuid(otpId) && !recent.has(otpId))
      .map(({ otpId: id, workspaceId, testMode }) => ({ id, within: { workspaceId, testMode } }));
    const [read, known] = await Promise.all([this.store.read(missing), this.keys.find(claims, at)]);
    const messages = new Map([...recent, ...read]);
    const counts = isRepeated ? await this.guesses.read([...messages.values()]) : null;
    const tally = new GuessTally(counts, at);
    const session = new Session(messages, tally, at, this.secrets);
    for (const key of known) session.remember(key, key.fingerprint, key.result);
    const decided = open.map((guess) => ({ guess, result: session.decide(guess) }));
    const writes = session.writes();
    if (writes.length === 0 && open.every(({ otpId }) => recent.has(otpId))) return;
    const written = await this.write(writes, tally, at);
    if (written === null) return;
    for (const { guess, result } of decided) {
      const { otpId } = guess;
      const isLost = session.isChanged(otpId) ? !written.has(otpId) : recent.has(otpId);
      if (!isLost) results.set(guess, result);
    }
  }

  private recentOf(guesses: readonly Guess[]): Map<string, Message> {
    const recent = new Map<string, Message>();
    for (const guess of guesses) {
      const message = this.recent(guess.otpId, guess);
      if (message) recent.set(message.id, message);
    }
    return recent;
  }

  /** Returns null if another process took one of the idempotency keys: judge again. */
  private async write(
    writes: readonly MessageWrite[],
    tally: GuessTally,
    at: Date,
  ): Promise<Set<string> | null> {
    if (writes.length === 0) {
      await this.database.query(commitNothing);
      return new Set();
    }
    return this.guesses.update(writes, tally.counted(), at).catch((error: unknown) => {
      if (sqlState(error) === UNIQUE_VIOLATION) return null;
      throw error;
    });
  }
}

interface Answer {
  readonly fingerprint: string;
  readonly result: VerifyResult;
}

/** One round: the messages as read, and as the guesses have changed them so far. */
class Session {
  private readonly current: Map<string, Message>;
  private readonly answers = new Map<string, Answer>();
  private readonly newKeys = new Map<string, KeyRow[]>();
  private readonly scopes = new Map<string, Scope>();

  constructor(
    private readonly read: ReadonlyMap<string, Message>,
    private readonly tally: GuessTally,
    private readonly at: Date,
    private readonly secrets: OtpSecrets,
  ) {
    this.current = new Map(read);
  }

  remember(name: KeyName, fingerprint: string, result: VerifyResult): void {
    this.answers.set(mapKey(name), { fingerprint, result });
  }

  decide(guess: Guess): VerifyResult {
    const hash = this.secrets.hash(guess.otpId, guess.code);
    const message = this.current.get(guess.otpId);
    const isRight = this.secrets.isRight(hash, (message && otpOf(message)?.codeHash) ?? '');
    const name = keyNameOf(guess);
    const earlier = name && this.answers.get(mapKey(name));
    if (earlier) return replayOf(earlier, guess);
    if (!message || !isWithin(message, guess)) return { outcome: 'not_found' };
    const barredForSeconds = this.tally.barredForSeconds(message);
    const { message: next, result } = verified(message, isRight, this.at, barredForSeconds);
    this.current.set(guess.otpId, next);
    this.scopes.set(guess.otpId, { workspaceId: guess.workspaceId, testMode: guess.testMode });
    if (result.outcome !== 'checked') return result;
    this.tally.count(message, isRight);
    if (name && guess.idempotency) {
      this.claim(name, guess.idempotency.fingerprint, guess.otpId, result);
    }
    return result;
  }

  isChanged(id: MessageId): boolean {
    return this.current.get(id) !== this.read.get(id);
  }

  writes(): MessageWrite[] {
    return [...this.read.values()]
      .filter(({ id }) => this.isChanged(id))
      .map((before) => ({
        ...writeOf(before, this.current.get(before.id) ?? before, this.at),
        keys: this.newKeys.get(before.id) ?? [],
        within: this.scopes.get(before.id),
      }));
  }

  private claim(name: KeyName, fingerprint: string, id: MessageId, result: VerifyResult): void {
    this.remember(name, fingerprint, result);
    const rows = this.newKeys.get(id) ?? [];
    rows.push({ ...name, fingerprint, result, createdAt: this.at });
    this.newKeys.set(id, rows);
  }
}

type KeyName = Pick<KeyRow, 'workspaceId' | 'scope' | 'key'>;

function keyNameOf({ workspaceId, idempotency }: Claimed): KeyName | null {
  return idempotency && { workspaceId, scope: idempotency.scope, key: idempotency.key };
}

function mapKey({ workspaceId, scope, key }: KeyName): string {
  return JSON.stringify([workspaceId, scope, key]);
}

function replayOf({ fingerprint, result }: Answer, { idempotency }: Claimed): VerifyResult {
  if (fingerprint !== idempotency?.fingerprint) return { outcome: 'idempotency_conflict' };
  return result.outcome === 'checked' ? { ...result, replayed: true } : result;
}
