import { Inject, Injectable } from '@nestjs/common';
import type { Clock, Reason } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { CLOCK } from '@watchword/platform';
import { isAllowListed } from '@watchword/telephony';
import { ScreenMessagesHandler } from '../fraud/anti-spam/screen-messages.handler.js';
import type { Verdict } from '../messages/anti-spam-verdict.js';
import type { TextCommand } from '../channels/text-channel.js';
import type { Message } from '../messages/message.js';
import { comeDue, reject } from '../messages/message-change.policy.js';
import { MessageChanges } from '../messages/message-changes.handler.js';
import { Router } from '../routing/router.js';
import {
  newMessage,
  screened,
  testRefusal,
  withFirstAttempt,
} from '../sending/new-message.policy.js';
import { DueMessagesPoll } from '../sending/due-messages-poll.js';
import { Sender } from '../sending/sender.js';
import type { WorkspaceRules } from '../suspensions/suspension.store.js';
import { DueChecks } from './due-checks.js';
import { type DueMessage, DueMessagesStore } from './due-messages.store.js';

const BATCH = 500;
/** While one batch is written, the next one is decided. */
const AT_ONCE = 2;
/**
 * Messages that are begun and not sent yet. They are in memory, and ambiguous if the process dies.
 */
const WAITING_MAX = 10_000;
/**
 * Milliseconds. Nothing is sent before the sweep is done, or this has passed: all due messages are
 * announced first.
 */
const SWEEP_MS_MAX = 10_000;
export const DUE_EVERY_MS = 100;
/** Milliseconds. Messages due within this time are known in advance. */
const AHEAD_MS = 2_000;

/**
 * Sends the messages with a due `send_at`, in every process: the write of a message names the
 * version that it was decided on, so one process gives it its first attempt and the others find
 * nothing left to do. A process that dies in between leaves either a scheduled message, which the
 * next run finds, or an attempt on record, which the recovery takes over.
 */
@Injectable()
export class DueMessagesJob {
  constructor(
    private readonly store: DueMessagesStore,
    private readonly changes: MessageChanges,
    private readonly checks: DueChecks,
    private readonly screening: ScreenMessagesHandler,
    private readonly router: Router,
    private readonly sender: Sender,
    private readonly poll: DueMessagesPoll,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A message is due then. */
  pollAt(at: Date): void {
    this.poll.at(at, this.clock);
  }

  /**
   * Returns whether there may be more. Does nothing before the next poll is due. The first attempts
   * of all due messages are recorded before any is made, so no message delays another.
   */
  async run(): Promise<boolean> {
    const { sender } = this;
    const waitingMax = WAITING_MAX - sender.waitingOfBursts;
    if (waitingMax <= 0 || !this.poll.isDue) return false;
    this.poll.begin();
    const begun: Message[] = [];
    const batches = this.batches(waitingMax);
    const sweeps = Array.from({ length: AT_ONCE }, () => this.sweep(batches, begun));
    const ends = await Promise.allSettled(sweeps);
    sender.sendBurst(begun);
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure) {
      this.poll.in(0);
      throw failure.reason;
    }
    return this.poll.isDue;
  }

  private async sweep(batches: AsyncIterable<TextCommand[]>, begun: Message[]): Promise<void> {
    for await (const commands of batches) {
      begun.push(...(await this.begin(commands)));
      await this.store.forget(commands.map(({ message_id: id }) => id));
    }
  }

  /** Yields batches. Messages due later are found by a later poll. */
  private async *batches(countMax: number): AsyncGenerator<TextCommand[]> {
    const { store, clock } = this;
    const endsAt = performance.now() + SWEEP_MS_MAX;
    let last: DueMessage | undefined;
    for (let left = countMax; left > 0 && performance.now() < endsAt; left -= BATCH) {
      const now = clock.now();
      const coming = await store.due(new Date(now + AHEAD_MS), BATCH, last);
      last = coming.at(-1);
      const due = coming.filter(({ sendAt }) => sendAt.getTime() <= now);
      const next = coming[due.length];
      if (next) this.poll.in(next.sendAt.getTime() - now);
      if (due.length > 0) yield due.map(({ command }) => command);
      if (due.length < BATCH) return;
    }
    this.poll.in(0);
  }

  /** Returns the messages with a first attempt that this process has recorded. */
  private async begin(commands: readonly TextCommand[]): Promise<Message[]> {
    const { changes, checks, screening, clock } = this;
    const rules = await checks.rules(commands);
    const asNow = commands.map((one) => judgedBy(one, rules.get(one.workspace_id)));
    const [{ refusals, waits }, verdicts] = await Promise.all([
      checks.find(commands, rules, new Date(clock.now())),
      screening.screen(asNow),
    ]);
    if (waits.size > 0) await this.postpone(waits);
    const begun = new Set<string>();
    const going = commands.filter(({ message_id: id }) => !waits.has(id));
    const requests = going.map((command) => ({
      id: command.message_id,
      known: asScheduled(command),
      change: (before: Message, at: Date): Message => {
        const { id } = before;
        begun.delete(id);
        if (before.state !== 'scheduled') return before;
        const after = this.begun(before, refusals.get(id), verdicts.get(id), at);
        if (after.attempts.length > 0) begun.add(id);
        return after;
      },
    }));
    crashPoint('dispatch.due.before-change');
    const messages = await changes.apply(requests);
    crashPoint('dispatch.due.after-change');
    const own = messages.filter((message) => message !== null).filter(({ id }) => begun.has(id));
    this.sender.reserve(own);
    return own;
  }

  /** A process that dies right after it leaves messages that the next poll of any process finds. */
  private async postpone(waits: ReadonlyMap<string, Date>): Promise<void> {
    await this.store.postpone(waits);
    for (const until of waits.values()) this.pollAt(until);
  }

  private begun(
    scheduled: Message,
    refusal: Reason | undefined,
    verdict: Verdict | undefined,
    at: Date,
  ): Message {
    const reason = refusal ?? testRefusal(scheduled);
    if (reason !== null) return reject(scheduled, reason, at);
    const judged = screened(scheduled, verdict, at);
    if (judged.state !== 'scheduled') return judged;
    const first = this.router.choose(judged);
    return withFirstAttempt(comeDue(judged), first?.name, this.sender.id, at);
  }
}

/**
 * Returns the message as it was first written. One that was cancelled meanwhile has another
 * version, and is decided again.
 */
function asScheduled(command: TextCommand): Message {
  return { ...newMessage(command, null, new Date(command.created_at)), state: 'scheduled' };
}

/** Without a known setting of today, that of the acceptance counts, and its allow-list. */
function judgedBy(command: TextCommand, rules: WorkspaceRules | undefined): TextCommand {
  const { sms, sender_id: senderId } = command;
  if (!sms || !rules?.antiSpam) return command;
  const { antiSpam: setting, antiSpamAllow: allow } = rules;
  const message = { senderId, templateId: sms.template_id ?? null, text: sms.body };
  const isListed = allow !== null && isAllowListed(allow, message);
  return { ...command, sms: { ...sms, anti_spam: isListed ? 'off' : setting } };
}
