import {
  type ListedMessage,
  type MessageRecord,
  type OperatorMessage,
  otpDetails,
  type PriceList,
  smsDetails,
} from '@watchword/contracts';
import { maskNumber } from '@watchword/telephony';

type CreditPrice = PriceList['credit_price'];

/** A message of either kind. An SMS also shows the text that its sender gave. */
export function listedMessage(record: MessageRecord, creditPrice: CreditPrice): ListedMessage {
  if (record.kind === 'otp') return { kind: 'otp', ...otpDetails(record) };
  const original = record.original_body ?? undefined;
  return { kind: 'sms', ...smsDetails(record, creditPrice), original_message: original };
}

/** The same for an operator: without personal data unless it is revealed. */
export function operatorMessage(
  record: MessageRecord,
  creditPrice: CreditPrice,
  revealed: boolean,
): OperatorMessage {
  return { ...listedMessage(revealed ? record : withheld(record), creditPrice), revealed };
}

function withheld(record: MessageRecord): MessageRecord {
  const destination = maskNumber(record.destination);
  return { ...record, destination, body: null, original_body: null, metadata: {} };
}
