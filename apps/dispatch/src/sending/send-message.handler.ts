import { Inject, Injectable } from '@nestjs/common';
import { CLOCK } from '@watchword/platform';
import type { Clock, SendMessage } from '@watchword/contracts';
import { channelOf, isTextCommand } from '../channels/channels.js';
import { OtpCodes } from '../channels/otp/otp-codes.port.js';
import type { TextCommand } from '../channels/text-channel.js';
import { ScreenMessagesHandler } from '../fraud/anti-spam/screen-messages.handler.js';
import type { Verdict } from '../messages/anti-spam-verdict.js';
import type { Message } from '../messages/message.js';
import { reject } from '../messages/message-change.policy.js';
import { writeOf } from '../messages/message-changes.handler.js';
import { MessageStore } from '../messages/message.store.js';
import { Router } from '../routing/router.js';
import { DueMessagesPoll } from './due-messages-poll.js';
import {
  isAhead,
  newMessage,
  screened,
  testRefusal,
  withFirstAttempt,
} from './new-message.policy.js';
import { Sender } from './sender.js';
import { isResend, StartResendHandler } from './start-resend.handler.js';

/**
 * Turns commands into messages: screened, stored with their code and first attempt in one
 * statement, then handed to the sender. A repeated command finds its message and does nothing. A
 * resend finds its message, which came before it, because both have one key.
 */
@Injectable()
export class SendMessageHandler {
  constructor(
    private readonly store: MessageStore,
    private readonly sender: Sender,
    private readonly router: Router,
    private readonly codes: OtpCodes,
    private readonly resends: StartResendHandler,
    private readonly screening: ScreenMessagesHandler,
    private readonly due: DueMessagesPoll,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Waits for free slots first, so that a burst stays on the bus instead of in memory. */
  async handle(commands: readonly SendMessage[]): Promise<void> {
    await this.sender.waitForSlot(commands.length);
    const unique = [...new Map(commands.map((one) => [one.message_id, one])).values()];
    const sends = unique.filter(isTextCommand).filter((command) => !isResend(command));
    const now = new Date(this.clock.now());
    const verdicts = await this.screening.screen(sends.filter((one) => !isAhead(one, now)));
    const planned = sends.map((one) => this.plan(one, verdicts.get(one.message_id), now));
    const stored = await this.store.insert(planned.map(({ write }) => write));
    for (const { message, code } of planned) {
      if (!stored.has(message.id)) continue;
      this.sender.send(message, code);
      const { state, sendAt } = message;
      if (state === 'scheduled' && sendAt !== null) this.due.at(sendAt, this.clock);
    }
    await this.resends.handle(unique.filter(isResend));
  }

  private plan(command: TextCommand, verdict: Verdict | undefined, at: Date) {
    const code = this.newCode(command);
    const stored = code === null ? null : this.codes.stored(command.message_id, code);
    const born = screened(newMessage(command, stored, at), verdict, at);
    const scheduled = born.state === 'scheduled' ? command : undefined;
    const write = { ...writeOf(null, this.routed(born, at), at), scheduled };
    return { message: write.message, write, code };
  }

  private routed(message: Message, at: Date): Message {
    if (message.state !== 'accepted') return message;
    const refusal = testRefusal(message);
    if (refusal !== null) return reject(message, refusal, at);
    const first = this.router.choose(message);
    return withFirstAttempt(message, first?.name, this.sender.id, at);
  }

  private newCode(command: TextCommand): string | null {
    const needed = channelOf(command).neededCode(command);
    return needed && (needed.fixed ?? this.codes.newCode(needed.length));
  }
}
