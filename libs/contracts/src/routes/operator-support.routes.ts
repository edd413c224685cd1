import { EraseBody, Erasure } from '../http/erasure.schema.js';
import { OperatorMessageListQuery, RevealQuery } from '../http/message-list.schema.js';
import { CarrierAccountList, OperatorMessage } from '../openapi/answer.schema.js';
import { CarrierRecord, ChangeCarrierBody } from '../http/carrier.schema.js';
import { OPERATOR } from './operator-workspaces.routes.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

/** Operators' view of customers' messages and of carriers. */
export const operatorSupportRoutes = routesOf(OPERATOR, {
  searchMessages: {
    at: 'GET /operator/v1/messages',
    owner: 'dispatch',
    summary: 'List messages of all workspaces',
    description:
      'Codes, SMS and emails, live and test, newest first. Numbers and addresses are masked and texts are hidden, except ' +
      'with `reveal=true` and a `reason`, which the audit keeps. Codes are never shown. ' +
      'A page can be short and still have a `next_cursor`. ' +
      'A message is in the list once it waits for a carrier.',
    query: OperatorMessageListQuery,
    answer: pageOf(OperatorMessage),
  },
  getFoundMessage: {
    at: 'GET /operator/v1/messages/:id',
    owner: 'dispatch',
    resource: 'message',
    summary: 'Retrieve a message of any workspace',
    description: 'Masked and revealed like the list.',
    query: RevealQuery,
    answer: OperatorMessage,
    errors: ['not_found'],
  },
  createErasure: {
    at: 'POST /operator/v1/erasures',
    summary: 'Erase a number or an email address',
    description:
      'Erases the recipient, texts and metadata from messages and webhook events of all workspaces. ' +
      'States, times, credits and ids stay. Opt-outs, suppressions and Do Not Disturb entries stay, because they protect the person. ' +
      'What has ended is erased at once. Scheduled messages are cancelled and refunded. What is on its way is erased ' +
      'when it ends. ' +
      'Takes minutes with millions of emails or events.',
    body: EraseBody,
    status: 202,
    answer: Erasure,
    errors: ['validation_error'],
    example: { to: '+2348031000001', reason: 'Request 17 of the person.' },
  },
  listCarriers: {
    at: 'GET /operator/v1/carriers',
    owner: 'dispatch',
    summary: 'List live carrier accounts',
    description:
      'Accounts of SMS and of email. Circuit, rate and failures are those of the dispatch process that answers; others may see ' +
      'other ones.',
    answer: CarrierAccountList,
  },
  changeCarrier: {
    at: 'PATCH /operator/v1/carriers/:id',
    owner: 'dispatch',
    resource: 'carrier_account',
    summary: 'Update a carrier account',
    description:
      'A drained account gets no new messages. A text fails with `no_route` when all accounts of ' +
      'its route are drained; an email waits as after a temporary refusal. In the countries of ' +
      '`preferred_in` an account is tried before others; an account of emails has none. In force ' +
      'in every process within five seconds.',
    body: ChangeCarrierBody,
    answer: CarrierRecord,
    errors: ['not_found'],
    example: { state: 'drained' },
  },
});
