import { Inject, Injectable } from '@nestjs/common';
import { isUuid, type MessageId, type ReserveResendResult } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import type { Message } from '../messages/message.js';
import { MessageChanges } from '../messages/message-changes.handler.js';
import { messageRecord } from '../messages/message-record.policy.js';
import type { Scope } from '../messages/scope.policy.js';
import { released, type Reservation, reserved } from './resend.policy.js';

export interface ResendRequest extends Scope {
  readonly otpId: MessageId;
  readonly resendId: MessageId;
}

/** Reserves resends for the gateway. `sending` starts those that were charged. */
@Injectable()
export class ReserveResendHandler {
  constructor(@Inject(MessageChanges) private readonly changes: MessageChanges) {}

  async reserve({ otpId, resendId, ...within }: ResendRequest): Promise<ReserveResendResult> {
    if (!isUuid(otpId)) return { outcome: 'not_found' };
    let made: Reservation | null | undefined;
    const change = (message: Message, at: Date): Message => {
      made = reserved(message, resendId, at);
      return made?.message ?? message;
    };
    crashPoint('dispatch.reserve-resend.before-change');
    const [message] = await this.changes.apply([{ id: otpId, change, within }]);
    crashPoint('dispatch.reserve-resend.after-change');
    if (!made || !message) return { outcome: 'not_found' };
    if (made.outcome !== 'reserved') return { outcome: made.outcome };
    return { ...made, message: messageRecord(message) };
  }

  async release({ otpId, resendId, ...within }: ResendRequest): Promise<void> {
    if (!isUuid(otpId)) return;
    const change = (message: Message) => released(message, resendId);
    crashPoint('dispatch.release-resend.before-change');
    await this.changes.apply([{ id: otpId, change, within }]);
    crashPoint('dispatch.release-resend.after-change');
  }
}
