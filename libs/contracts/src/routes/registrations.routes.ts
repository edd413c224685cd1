import {
  ChangeSenderBody,
  RequestSenderBody,
  SenderId,
  SenderIdList,
} from '../http/sender-id.schema.js';
import {
  ChangeSmsTemplateBody,
  CreateSmsTemplateBody,
  RenderedSmsTemplate,
  RenderSmsTemplateBody,
  SmsTemplate,
} from '../http/sms-template.schema.js';
import { PageQuery } from '../http/common.schema.js';
import { CreateDomainBody, Domain } from '../http/domain.schema.js';
import { NoBody } from '../http/otp.schema.js';
import {
  CreateSuppressionBody,
  EmailAddressSuppression,
  Suppression,
  SuppressionQuery,
  SuppressionsQuery,
} from '../http/suppression.schema.js';
import { DOMAIN_LOOK_UP_MS } from '../rpc/domain-calls.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

const VARIANT_B = { errorType: 'rate_limit_exceeded', bySecond: true } as const;
const EXAMPLE_APPLICATION = {
  sender_id: 'Acme',
  countries: ['NG', 'KE'],
  registered_entity: 'Acme Ltd',
  use_case: 'Order updates to customers who bought in our shop.',
  sample_message: 'Acme: your order 1042 is on its way.',
};

export const senderIdRoutes = routesOf(
  {
    ...{ tag: 'Sender IDs', owner: 'dispatch', resource: 'sender_id' },
    ...{ guard: 'key', limits: VARIANT_B },
  },
  {
    requestSenderId: {
      at: 'POST /v1/sender-ids',
      summary: 'Request a sender ID',
      description: 'Open to workspaces that bought 10,000 credits. Each country decides by itself.',
      body: RequestSenderBody,
      asks: ['purchased_credits'],
      status: 201,
      answer: SenderId,
      idempotent: true,
      errors: ['conflict', 'idempotency_conflict'],
      example: EXAMPLE_APPLICATION,
    },
    listSenderIds: {
      at: 'GET /v1/sender-ids',
      summary: 'List sender IDs',
      description: 'All of the workspace, newest first.',
      answer: SenderIdList,
    },
    updateSenderId: {
      at: 'PATCH /v1/sender-ids/:id',
      summary: 'Update a sender ID',
      description: 'Only while it is pending; a country that is decided stays.',
      body: ChangeSenderBody,
      answer: SenderId,
      errors: ['not_found', 'conflict'],
      example: { notes: 'The letter of authority is on its way.' },
    },
  },
);

export const smsTemplateRoutes = routesOf(
  {
    ...{ tag: 'SMS templates', owner: 'dispatch', resource: 'template' },
    ...{ guard: 'key', limits: VARIANT_B },
  },
  {
    createSmsTemplate: {
      at: 'POST /v1/sms-templates',
      summary: 'Create an SMS template',
      description: 'Placeholders are written `{{name}}`; `variables` lists them.',
      body: CreateSmsTemplateBody,
      status: 201,
      answer: SmsTemplate,
      idempotent: true,
      errors: ['conflict', 'idempotency_conflict'],
      example: { name: 'Order shipped', body: 'Hi {{name}}, order {{order}} is on its way.' },
    },
    listSmsTemplates: {
      at: 'GET /v1/sms-templates',
      summary: 'List SMS templates',
      query: PageQuery,
      answer: pageOf(SmsTemplate),
    },
    getSmsTemplate: {
      at: 'GET /v1/sms-templates/:id',
      summary: 'Retrieve an SMS template',
      answer: SmsTemplate,
      errors: ['not_found'],
    },
    updateSmsTemplate: {
      at: 'PATCH /v1/sms-templates/:id',
      summary: 'Update an SMS template',
      description: 'Raises `version`. Messages that were accepted before keep their text.',
      body: ChangeSmsTemplateBody,
      answer: SmsTemplate,
      errors: ['not_found'],
      example: { body: 'Hi {{name}}, order {{order}} has shipped.' },
    },
    deleteSmsTemplate: {
      at: 'DELETE /v1/sms-templates/:id',
      summary: 'Delete an SMS template',
      status: 204,
      errors: ['not_found'],
    },
    renderSmsTemplate: {
      at: 'POST /v1/sms-templates/:id/render',
      summary: 'Render an SMS template',
      description: 'Shows the text as a send would measure it. Missing variables stay standing.',
      body: RenderSmsTemplateBody,
      settings: ['sms_rewriting'],
      answer: RenderedSmsTemplate,
      idempotent: true,
      errors: ['not_found', 'conflict', 'idempotency_conflict'],
      example: { variables: { name: 'Ada', order: 1042 } },
    },
  },
);

export const domainRoutes = routesOf(
  {
    ...{ tag: 'Domains', owner: 'dispatch', resource: 'domain' },
    ...{ guard: 'key', limits: VARIANT_B },
  },
  {
    createDomain: {
      at: 'POST /v1/domains',
      summary: 'Create a domain',
      description:
        'Makes a DKIM key and shows the DNS records to publish. Only the DKIM record is required.',
      body: CreateDomainBody,
      status: 201,
      answer: Domain,
      idempotent: true,
      errors: ['conflict', 'idempotency_conflict'],
      example: { name: 'mail.example.com' },
    },
    listDomains: {
      at: 'GET /v1/domains',
      summary: 'List domains',
      query: PageQuery,
      answer: pageOf(Domain),
    },
    getDomain: {
      at: 'GET /v1/domains/:id',
      summary: 'Retrieve a domain',
      answer: Domain,
      errors: ['not_found'],
    },
    verifyDomain: {
      at: 'POST /v1/domains/:id/verify',
      summary: 'Verify a domain',
      description: 'Looks up the records within 5 seconds. `status` shows the result.',
      body: NoBody,
      deadlineMs: DOMAIN_LOOK_UP_MS + 10_000,
      answer: Domain,
      idempotent: true,
      errors: ['not_found', 'conflict', 'idempotency_conflict'],
      example: {},
    },
    deleteDomain: {
      at: 'DELETE /v1/domains/:id',
      summary: 'Delete a domain',
      description: 'Emails from it that are not handed over yet fail with `domain_unverified`.',
      status: 204,
      errors: ['not_found'],
    },
  },
);

export const suppressionRoutes = routesOf(
  {
    ...{ tag: 'Suppressions', owner: 'dispatch', resource: 'suppression' },
    ...{ guard: 'key', limits: VARIANT_B },
  },
  {
    createSuppression: {
      at: 'POST /v1/suppressions',
      summary: 'Suppress an email address',
      description: 'Answers 200 where the address is suppressed already.',
      body: CreateSuppressionBody,
      status: 201,
      unchangedStatus: 200,
      answer: EmailAddressSuppression,
      idempotent: true,
      errors: ['idempotency_conflict', 'conflict'],
      example: { address: 'ada@example.com' },
    },
    listSuppressions: {
      at: 'GET /v1/suppressions',
      summary: 'List suppressions',
      description:
        'Numbers that replied STOP, and email addresses that are not sent to, newest first.',
      query: SuppressionsQuery,
      answer: pageOf(Suppression),
    },
    deleteSuppression: {
      at: 'DELETE /v1/suppressions/:address',
      summary: 'Delete a suppression',
      description:
        'All suppressions of the address, or with `sender_id` those of one sender ID. ' +
        'A complaint stays (409): only an operator deletes it.',
      query: SuppressionQuery,
      status: 204,
      errors: ['not_found', 'conflict'],
    },
  },
);
