import { DndUpload } from '../http/dnd.schema.js';
import { ReviewSenderBody, SenderId, SendersToReviewQuery } from '../http/sender-id.schema.js';
import { SenderRules } from '../http/sender-rules.schema.js';
import { OPERATOR } from './operator-workspaces.routes.js';
import { routesOf } from './route.js';
import { pageOf } from '../shapes.js';

const DND_LIST_BYTES_MAX = 64 * 1024 * 1024;

/** Operators' decisions about registrations. */
export const operatorRegistrationRoutes = routesOf(OPERATOR, {
  listSenderIdsToReview: {
    at: 'GET /operator/v1/sender-ids',
    owner: 'dispatch',
    summary: 'List sender IDs of all workspaces',
    query: SendersToReviewQuery,
    answer: pageOf(SenderId),
  },
  reviewSenderId: {
    at: 'POST /operator/v1/sender-ids/:id/reviews',
    owner: 'dispatch',
    resource: 'sender_id',
    summary: 'Review a sender ID',
    description:
      'Decides for all named countries or for none. A reason is required to reject or suspend.',
    body: ReviewSenderBody,
    answer: SenderId,
    errors: ['not_found', 'conflict'],
    example: { countries: ['NG'], status: 'approved', dnd_whitelisted: true },
  },
  deleteWorkspaceSuppression: {
    at: 'DELETE /operator/v1/workspaces/:id/suppressions/:address',
    owner: 'dispatch',
    resource: 'workspace',
    summary: 'Delete an email suppression of a workspace',
    description: 'Complaints too.',
    status: 204,
    errors: ['not_found'],
  },
  getSenderRules: {
    at: 'GET /operator/v1/sender-rules',
    owner: 'dispatch',
    summary: 'Retrieve the rules of senders by country',
    answer: SenderRules,
  },
  putSenderRules: {
    at: 'PUT /operator/v1/sender-rules',
    owner: 'dispatch',
    summary: 'Replace the rules of senders by country',
    description:
      'Replaces the rules of all countries. They hold for sends once this is answered. A country without a rule ' +
      'allows every sender ID at any hour.',
    body: SenderRules,
    answer: SenderRules,
    example: {
      enforcement: 'log',
      countries: {
        NG: {
          alphanumeric: 'registered',
          length_min: 3,
          reserved_words: ['INFO'],
          quiet_hours: {
            time_zone: 'Africa/Lagos',
            windows: [{ from: '20:00', to: '08:00' }],
          },
          last_checked: '2026-07-01',
        },
      },
    },
  },
  putDndList: {
    at: 'PUT /operator/v1/dnd/:country',
    summary: 'Replace the Do Not Disturb list of a country',
    description:
      'A body of `text/csv` or `text/plain`: one E.164 number a line, after an optional header. ' +
      'A bad line, or a number of another country, is 400 with the number of the line and replaces nothing.',
    rawBodyBytesMax: DND_LIST_BYTES_MAX,
    rawBodyTypes: ['text/csv', 'text/plain'],
    answer: DndUpload,
    errors: ['validation_error'],
    example: 'number\n+2348031234567\n',
  },
});
