import {
  Email,
  EmailBatchAnswer,
  EmailListQuery,
  ListedEmail,
  SendEmailBatchBody,
  SendEmailBody,
  SentEmail,
} from '../http/email.schema.js';
import { NoBody } from '../http/otp.schema.js';
import { BODY_BOUNDS } from './body-bounds.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

const EXAMPLE = {
  from: 'Acme <hello@mail.example.com>',
  to: 'ada@example.com',
  subject: 'Your order 1042 has shipped',
  text: 'It is on its way.',
};

export const emailRoutes = routesOf(
  {
    tag: 'Emails',
    guard: 'key',
    limits: { errorType: 'rate_limit_exceeded', bySecond: true },
    resource: 'email',
  },
  {
    sendEmail: {
      at: 'POST /v1/emails',
      isSend: true,
      permissions: ['full', 'sending'],
      bodyBounds: BODY_BOUNDS.email,
      summary: 'Send an email',
      description:
        'One credit for each recipient. With `send_at` the email is charged now and sent then. ' +
        'The outcome comes by webhook, or from `GET /v1/emails/{id}`.',
      body: SendEmailBody,
      status: 202,
      answer: SentEmail,
      idempotent: true,
      errors: [
        'domain_unverified',
        'address_suppressed',
        'quota_exceeded',
        'idempotency_conflict',
        'conflict',
      ],
      example: EXAMPLE,
    },
    sendEmailBatch: {
      at: 'POST /v1/emails/batch',
      isSend: true,
      permissions: ['full', 'sending'],
      bodyBounds: BODY_BOUNDS.emailBatch,
      summary: 'Send a batch of emails',
      description:
        'Up to 100 emails, accepted in order in one transaction. Each item has an outcome of its ' +
        'own; one `Idempotency-Key` replays the whole answer.',
      body: SendEmailBatchBody,
      status: 202,
      answer: EmailBatchAnswer,
      idempotent: true,
      errors: ['idempotency_conflict', 'conflict'],
      example: [EXAMPLE],
    },
    listEmails: {
      at: 'GET /v1/emails',
      owner: 'dispatch',
      asks: ['recent_emails'],
      hasLargeAnswer: true,
      summary: 'List emails',
      description: 'Newest first, without `html` and `text`.',
      query: EmailListQuery,
      answer: pageOf(ListedEmail),
    },
    getEmail: {
      at: 'GET /v1/emails/:id',
      summary: 'Retrieve an email',
      answer: Email,
      errors: ['not_found'],
    },
    cancelEmail: {
      at: 'POST /v1/emails/:id/cancel',
      summary: 'Cancel an email',
      description:
        'Possible until the first copy is handed over; refunded in full. Later: 409. Answers the record of `GET /v1/emails/{id}`.',
      body: NoBody,
      answer: Email,
      idempotent: true,
      errors: ['not_found', 'conflict', 'idempotency_conflict'],
      example: {},
    },
  },
);
