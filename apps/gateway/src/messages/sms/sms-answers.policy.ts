import {
  type SendMessage,
  type SendSmsAnswer,
  type SmsMessage,
  smsMessage,
} from '@watchword/contracts';
import { acceptedRecord } from '../accepted-record.policy.js';

/** Returns the answer. It uses only the stored command, so a replay is equal to the byte. */
export function sentSms(command: SendMessage): SendSmsAnswer {
  const { sms } = command;
  if (!sms) throw new Error(`message ${command.message_id} is not an SMS`);
  return {
    id: command.message_id,
    phone_number: command.destination,
    country_code: command.country_code,
    credit_cost: command.credits,
    segments: command.segments,
    encoding: sms.encoding,
    rewritten: sms.rewritten,
    status: 'pending',
    created_at: command.created_at,
  };
}

/** Returns the same for variant B. */
export function messageOf(command: SendMessage): SmsMessage {
  return smsMessage(acceptedRecord(command));
}
