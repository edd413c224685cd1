import type { CreateSmsBody, SendSmsBody } from '@watchword/contracts';
import { VARIANT_A_WORDS, VARIANT_B_WORDS } from '../../inputs/send-words.policy.js';
import type { SmsRequest } from './compose-sms.js';

/** `POST /v1/sms/send` */
export function smsRequestOfVariantA(body: SendSmsBody): SmsRequest {
  return {
    family: 'a',
    words: VARIANT_A_WORDS,
    to: body.phone_number,
    from: body.sender_id,
    body: body.message,
    category: body.category,
    metadata: body.metadata,
    quoteId: body.quote_id,
  };
}

/** `POST /v1/sms`, an item of a batch, and an agent's `send_sms`. */
export function smsRequestOfVariantB(body: CreateSmsBody, words = VARIANT_B_WORDS): SmsRequest {
  return {
    family: 'b',
    words,
    to: body.to,
    from: body.from,
    body: body.body,
    template: body.template,
    variables: body.variables,
    sendAt: body.send_at,
    category: body.category,
    metadata: body.metadata,
    quoteId: body.quote_id,
  };
}
