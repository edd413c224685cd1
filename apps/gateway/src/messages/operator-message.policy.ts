import type { MessageRecord, OperatorMessage, PriceList } from '@watchword/contracts';
import { maskNumber } from '@watchword/telephony';
import { listedMessage } from '../channels/channels.js';

type CreditPrice = PriceList['credit_price'];

/** Returns a message of any kind for an operator: without personal data unless revealed. */
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
