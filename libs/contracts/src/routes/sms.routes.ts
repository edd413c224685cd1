import { SmsListQuery } from '../http/message-list.schema.js';
import { SendSmsAnswer, SendSmsBody, SmsDetails } from '../http/sms.schema.js';
import { BODY_BOUNDS } from './body-bounds.js';
import { EXAMPLE_NUMBER } from './examples.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

export const smsRoutes = routesOf(
  { tag: 'SMS', guard: 'key', limits: { errorType: 'rate_limited' }, resource: 'sms' },
  {
    sendTransactionalSms: {
      at: 'POST /v1/sms/send',
      isSend: true,
      bodyBounds: BODY_BOUNDS.oneMessage,
      summary: 'Send a transactional SMS',
      description: 'Variant A. The text is rewritten, measured, charged and queued.',
      body: SendSmsBody,
      answer: SendSmsAnswer,
      idempotent: true,
      errors: [
        'phone_invalid',
        'sender_id_invalid',
        'dnd_blocked',
        'insufficient_credits',
        'country_not_enabled',
        'prefix_blocked',
        'idempotency_conflict',
        'conflict',
      ],
      example: {
        phone_number: EXAMPLE_NUMBER,
        message: 'Your order has shipped.',
        sender_id: 'Acme',
      },
    },
    listMessages: {
      at: 'GET /v1/sms',
      owner: 'dispatch',
      asks: ['recent_texts'],
      summary: 'List SMS messages',
      description: 'Newest first, in the mode of the key, of both variants.',
      query: SmsListQuery,
      answer: pageOf(SmsDetails),
      limits: { errorType: 'rate_limit_exceeded', bySecond: true },
    },
    getMessage: {
      at: 'GET /v1/sms/:id',
      summary: 'Retrieve an SMS message',
      description: 'One record for both variants: the names of variant A, then those of variant B.',
      answer: SmsDetails,
      errors: ['not_found'],
    },
  },
);
