import { OperatorMessageListQuery, RevealQuery } from '../http/message-list.schema.js';
import { OperatorMessage, pageOf } from '../openapi/answer.schema.js';
import { OPERATOR } from './operator-workspaces.routes.js';
import { routesOf } from './route.js';

/** What operators see of customers' messages. */
export const operatorSupportRoutes = routesOf(OPERATOR, {
  searchMessages: {
    at: 'GET /operator/v1/messages',
    summary: 'List messages of all workspaces',
    description:
      'Live and test messages, newest first. Numbers are masked and texts are hidden, except ' +
      'with `reveal=true` and a `reason`, which the audit keeps. Codes are never shown. ' +
      'A page can be short and still have a `next_cursor`. ' +
      'A message is in the list once it waits for a carrier.',
    query: OperatorMessageListQuery,
    answer: pageOf(OperatorMessage),
  },
  getFoundMessage: {
    at: 'GET /operator/v1/messages/:id',
    summary: 'Retrieve a message of any workspace',
    description: 'Masked and revealed like the list.',
    query: RevealQuery,
    answer: OperatorMessage,
    errors: ['not_found'],
  },
});
