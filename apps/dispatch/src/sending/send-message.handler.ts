import type { Clock, SendMessage } from '@watchword/contracts';
import { testOtpCode } from '@watchword/carriers';
import type { ScreenMessagesHandler } from '../fraud/anti-spam/screen-messages.handler.js';
import type { Verdict } from '../fraud/anti-spam/verdict.js';
import type { Message } from '../messages/message.js';
import { reject } from '../messages/message-change.policy.js';
import { writeOf } from '../messages/message-changes.handler.js';
import type { MessageStore } from '../messages/message.store.js';
import type { OtpSecrets } from '../verification/otp-secrets.js';
import { isResend, type ResendOtpHandler } from '../verification/resend-otp.handler.js';
import type { Router } from '../routing/router.js';
import {
  isAhead,
  newMessage,
  screened,
  testRefusal,
  withFirstAttempt,
} from './new-message.policy.js';
import type { Sender } from './sender.js';

/**
 * Commands become messages: screened, then stored with their code and their first attempt in one
 * statement, then handed to the sender. A command that comes again finds its message there and does
 * nothing. A resend finds the message it repeats, which came before it: both have one key.
 */
export class SendMessageHandler {
  constructor(
    private readonly store: MessageStore,
    private readonly sender: Sender,
    private readonly router: Router,
    private readonly secrets: OtpSecrets,
    private readonly resends: ResendOtpHandler,
    private readonly screening: ScreenMessagesHandler,
    private readonly clock: Clock,
  ) {}

  /** Waits for room first, so that a burst stays on the bus instead of in memory. */
  async handle(commands: readonly SendMessage[]): Promise<void> {
    await this.sender.waitForRoom(commands.length);
    const unique = [...new Map(commands.map((one) => [one.message_id, one])).values()];
    const sends = unique.filter((command) => !isResend(command));
    const now = new Date(this.clock.now());
    const verdicts = await this.screening.screen(sends.filter((one) => !isAhead(one, now)));
    const planned = sends.map((one) => this.plan(one, verdicts.get(one.message_id), now));
    const stored = await this.store.insert(planned.map(({ write }) => write));
    for (const { message, code } of planned) {
      if (stored.has(message.id)) this.sender.send(message, code);
    }
    await this.resends.start(unique.filter(isResend));
  }

  private plan(command: SendMessage, verdict: Verdict | undefined, at: Date) {
    const code = this.newCode(command);
    const stored = code === null ? null : this.stored(command.message_id, code);
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

  private newCode({ kind, test_mode: testMode, destination, otp }: SendMessage): string | null {
    if (kind !== 'otp' || otp === null) return null;
    if (testMode) return testOtpCode(destination, otp.code_length);
    return this.secrets.newCode(otp.code_length);
  }

  private stored(messageId: string, code: string) {
    return {
      codeHash: this.secrets.hash(messageId, code),
      codeCipher: this.secrets.seal(messageId, code),
    };
  }
}
