import { BODY_BOUNDS } from './body-bounds.js';
import { type RouteFacts, routesOf } from './route.js';

/** Twilio's libraries send forms, and name the key as the password of Basic authentication. */
const FORM = {
  basicAuth: true,
  undocumented: true,
  anyQuery: true,
  rawBodyBytesMax: BODY_BOUNDS.oneMessage.bytesMax,
  rawBodyTypes: ['application/x-www-form-urlencoded'],
} as const satisfies Partial<RouteFacts>;
const READ = { basicAuth: true, undocumented: true, anyQuery: true } as const;

const SERVICE = '/twilio/v2/Services/:service' as const;
const ACCOUNT = '/twilio/2010-04-01/Accounts/:account' as const;
const limits = { errorType: 'rate_limited' } as const;

/**
 * Twilio Verify and three calls of Twilio Messaging for programs that were written for Twilio. The
 * guide describes them; they are no part of the OpenAPI documents.
 */
export const twilioVerifyRoutes = routesOf(
  { tag: 'Twilio', guard: 'key', permissions: ['full', 'otp'], limits },
  {
    listTwilioServices: { at: 'GET /twilio/v2/Services', summary: 'List services', ...READ },
    createTwilioService: { at: 'POST /twilio/v2/Services', summary: 'Create a service', ...FORM },
    getTwilioService: { at: `GET ${SERVICE}`, summary: 'Fetch a service', ...READ },
    updateTwilioService: { at: `POST ${SERVICE}`, summary: 'Update a service', ...FORM },
    createTwilioVerification: {
      at: `POST ${SERVICE}/Verifications`,
      summary: 'Send a code',
      status: 201,
      isSend: true,
      ...FORM,
    },
    getTwilioVerification: {
      at: `GET ${SERVICE}/Verifications/:sid`,
      summary: 'Fetch a verification',
      ...READ,
    },
    updateTwilioVerification: {
      at: `POST ${SERVICE}/Verifications/:sid`,
      summary: 'Cancel a verification',
      ...FORM,
    },
    checkTwilioVerification: {
      at: `POST ${SERVICE}/VerificationCheck`,
      summary: 'Check a code',
      status: 201,
      ...FORM,
    },
  },
);

export const twilioMessageRoutes = routesOf(
  { tag: 'Twilio', guard: 'key', permissions: ['full'], limits },
  {
    createTwilioMessage: {
      at: `POST ${ACCOUNT}/Messages.json`,
      summary: 'Send a message',
      status: 201,
      isSend: true,
      ...FORM,
    },
    listTwilioMessages: {
      at: `GET ${ACCOUNT}/Messages.json`,
      summary: 'List messages',
      ...READ,
    },
    getTwilioMessage: {
      at: `GET ${ACCOUNT}/Messages/:file`,
      summary: 'Fetch a message',
      ...READ,
    },
  },
);
