import {
  type Clock,
  isUuid,
  type ReserveResendResult,
  type SendMessage,
} from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { Message } from '../messages/message.js';
import type { MessageChanges } from '../messages/message-changes.handler.js';
import { messageRecord } from '../messages/message-record.policy.js';
import type { Walls } from '../messages/walls.policy.js';
import type { Router } from '../routing/router.js';
import type { Sender } from '../sending/sender.js';
import type { OtpSecrets } from './otp-secrets.js';
import { released, type Reservation, reserved, started } from './resend.policy.js';

export interface ResendWish extends Walls {
  readonly otpId: string;
  readonly resendId: string;
}

type ResendCommand = SendMessage & { resend: NonNullable<SendMessage['resend']> };

export function isResend(command: SendMessage): command is ResendCommand {
  return command.resend != null;
}

/** Reserves resends for the gateway, and begins those that were charged. */
export class ResendOtpHandler {
  constructor(
    private readonly changes: MessageChanges,
    private readonly sender: Sender,
    private readonly router: Router,
    private readonly secrets: OtpSecrets,
    private readonly clock: Clock,
  ) {}

  async reserve({ otpId, resendId, ...within }: ResendWish): Promise<ReserveResendResult> {
    if (!isUuid(otpId)) return { outcome: 'not_found' };
    let made: Reservation | undefined;
    const change = (message: Message, at: Date): Message => {
      if (message.kind !== 'otp') return message;
      made = reserved(message, resendId, at);
      return made.message;
    };
    crashPoint('dispatch.reserve-resend.before-change');
    const [message] = await this.changes.apply([{ id: otpId, change, within }]);
    crashPoint('dispatch.reserve-resend.after-change');
    if (!made || !message) return { outcome: 'not_found' };
    if (made.outcome !== 'reserved') return { outcome: made.outcome };
    return { ...made, message: messageRecord(message) };
  }

  async release({ otpId, resendId, ...within }: ResendWish): Promise<void> {
    if (!isUuid(otpId)) return;
    const change = (message: Message) => released(message, resendId);
    crashPoint('dispatch.release-resend.before-change');
    await this.changes.apply([{ id: otpId, change, within }]);
    crashPoint('dispatch.release-resend.after-change');
  }

  /** Each once; a command that comes again later finds its resend begun and does nothing. */
  async start(commands: readonly ResendCommand[]): Promise<void> {
    if (commands.length === 0) return;
    const begun = new Map<ResendCommand, number>();
    crashPoint('dispatch.start-resend.before-change');
    const messages = await this.changes.apply(
      commands.map((command) => ({
        id: command.resend.otp_id,
        change: (before: Message, at: Date) => {
          const after = this.started(before, command.message_id, at);
          const isNew = after.attempts.length > before.attempts.length;
          if (isNew) begun.set(command, after.attempts.at(-1)?.resend ?? 0);
          else begun.delete(command);
          return after;
        },
      })),
    );
    crashPoint('dispatch.start-resend.after-change');
    commands.forEach((command, index) => {
      const message = messages[index];
      const number = begun.get(command);
      if (!message) throw new Error(`a resend of ${command.resend.otp_id}, which does not exist`);
      if (number !== undefined) this.send(message, number);
    });
  }

  private started(message: Message, id: string, at: Date): Message {
    const candidates = this.router.providersFor(message);
    return started(message, id, { candidates, heldBy: this.sender.id, at });
  }

  private send(message: Message, number: number): void {
    const cipher = message.otp?.codeCipher ?? null;
    if (cipher === null) throw new Error('a resend was begun without its code');
    this.sender.send(message, this.secrets.open(message.id, cipher), number);
  }
}
