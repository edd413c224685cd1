import { accountRoutes, callbackRoutes, eventRoutes, healthRoutes } from './account.routes.js';
import { agentRoutes } from './agent.routes.js';
import { consoleRoutes } from './console.routes.js';
import { deviceRoutes } from './device.routes.js';
import { emailRoutes } from './emails.routes.js';
import { linkRoutes } from './links.routes.js';
import { messagingRoutes } from './messaging.routes.js';
import { operatorPlatformRoutes } from './operator-platform.routes.js';
import { operatorRegistrationRoutes } from './operator-registrations.routes.js';
import { operatorSupportRoutes } from './operator-support.routes.js';
import { operatorWorkspaceRoutes } from './operator-workspaces.routes.js';
import { otpRoutes } from './otp.routes.js';
import { operatorPaymentRoutes, paymentCallbackRoutes, paymentRoutes } from './payment.routes.js';
import { peopleRoutes } from './people.routes.js';
import {
  domainRoutes,
  senderIdRoutes,
  smsTemplateRoutes,
  suppressionRoutes,
} from './registrations.routes.js';
import type { Route } from './route.js';
import { smsRoutes } from './sms.routes.js';
import { twilioMessageRoutes, twilioVerifyRoutes } from './twilio.routes.js';
import { webhookRoutes } from './webhook.routes.js';

/** The routes of each part of the API. */
export const FAMILIES = [
  otpRoutes,
  smsRoutes,
  messagingRoutes,
  senderIdRoutes,
  smsTemplateRoutes,
  emailRoutes,
  linkRoutes,
  domainRoutes,
  suppressionRoutes,
  accountRoutes,
  eventRoutes,
  webhookRoutes,
  healthRoutes,
  peopleRoutes,
  deviceRoutes,
  consoleRoutes,
  paymentRoutes,
  operatorWorkspaceRoutes,
  operatorPlatformRoutes,
  operatorRegistrationRoutes,
  operatorSupportRoutes,
  operatorPaymentRoutes,
  paymentCallbackRoutes,
  callbackRoutes,
  agentRoutes,
  twilioVerifyRoutes,
  twilioMessageRoutes,
] as const;

type Merged<Families extends readonly object[]> = Families extends readonly [
  infer First,
  ...infer Others extends readonly object[],
]
  ? First & Merged<Others>
  : unknown;

/** Every route of the product, by operation id. A new route is a constant in its family's file. */
export const routes: Merged<typeof FAMILIES> = Object.assign({}, ...FAMILIES);

export const ROUTES: readonly Route[] = Object.values<Route>(routes);

/** The routes that the OpenAPI document describes. */
export const DOCUMENTED_ROUTES: readonly Route[] = ROUTES.filter(
  ({ undocumented }) => undocumented !== true,
);
