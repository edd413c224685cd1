import type { Clock, Reason } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { NextLook } from '@watchword/platform';
import type { ScreenMessagesHandler } from '../fraud/anti-spam/screen-messages.handler.js';
import type { Verdict } from '../fraud/anti-spam/verdict.js';
import type { TextCommand } from '../channels/text-channel.js';
import type { Message } from '../messages/message.js';
import { comeDue, reject } from '../messages/message-change.policy.js';
import type { MessageChanges } from '../messages/message-changes.handler.js';
import type { Router } from '../routing/router.js';
import { screened, testRefusal, withFirstAttempt } from '../sending/new-message.policy.js';
import type { Sender } from '../sending/sender.js';
import type { DueChecks } from './due-checks.port.js';
import type { DueMessage, DueMessagesStore } from './due-messages.store.js';

const BATCH = 100;
export const DUE_EVERY_MS = 500;
/** A message is known this long before it is due, but for one that is stored later than that. */
const LOOK_EVERY_MS = 2_000;

export interface DueMessagesParts {
  readonly store: DueMessagesStore;
  readonly changes: MessageChanges;
  readonly checks: DueChecks;
  readonly screening: Pick<ScreenMessagesHandler, 'screen'>;
  readonly router: Pick<Router, 'choose'>;
  readonly sender: Pick<Sender, 'id' | 'send' | 'hasRoom'>;
  readonly clock: Clock;
}

/**
 * Sends the messages whose `send_at` has come, in every process: the write of a message names the version that
 * it was decided on, so one process gives it its first attempt and the others find nothing left to do.
 * A process that dies in between leaves either a scheduled message, which the next run finds, or an
 * attempt on record, which the recovery takes over.
 */
export class DueMessagesJob {
  private readonly look = new NextLook(LOOK_EVERY_MS);

  constructor(private readonly parts: DueMessagesParts) {}

  /** Answers whether there may be more. Does nothing when it is not time to look. */
  async run(): Promise<boolean> {
    const { store, clock, sender } = this.parts;
    if (!sender.hasRoom || !this.look.isDue) return false;
    this.look.begin();
    const now = clock.now();
    const commands = this.dueAt(now, await store.due(new Date(now + LOOK_EVERY_MS), BATCH));
    if (commands.length === 0) return false;
    await this.send(commands);
    await store.forget(commands.map(({ message_id: id }) => id));
    return commands.length === BATCH;
  }

  /** What comes later is looked for then. */
  private dueAt(now: number, coming: readonly DueMessage[]): TextCommand[] {
    const next = coming.find(({ sendAt }) => sendAt.getTime() > now);
    if (next) this.look.in(next.sendAt.getTime() - now);
    else if (coming.length > 0) this.look.in(0);
    return coming.flatMap(({ sendAt, command }) => (sendAt.getTime() <= now ? [command] : []));
  }

  private async send(commands: readonly TextCommand[]): Promise<void> {
    const { changes, checks, screening, clock, sender } = this.parts;
    const [refusals, verdicts] = await Promise.all([
      checks.refusals(commands, new Date(clock.now())),
      screening.screen(commands),
    ]);
    const begun = new Set<string>();
    const requests = commands.map(({ message_id: id }) => ({
      id,
      change: (before: Message, at: Date): Message => {
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
    for (const message of messages) {
      if (message !== null && begun.has(message.id)) sender.send(message, null);
    }
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
    const first = this.parts.router.choose(judged);
    return withFirstAttempt(comeDue(judged), first?.name, this.parts.sender.id, at);
  }
}
