import type { RuleSection } from '../rule.ts';
import { accountRules } from './accounts.rules.ts';
import { agentRules } from './agents.rules.ts';
import { bodyRules } from './bodies.rules.ts';
import { boundRules } from './bounds.rules.ts';
import { conductRules } from './conduct.rules.ts';
import { decisionRules } from './decisions.rules.ts';
import { domainRules } from './domain.rules.ts';
import { emailDeliveryRules } from './email-delivery.rules.ts';
import { emailRules } from './email.rules.ts';
import { endpointRules } from './endpoints.rules.ts';
import { errorRules } from './errors.rules.ts';
import { limitRules } from './limits.rules.ts';
import { messagingRules } from './messaging.rules.ts';
import { paymentRules } from './payments.rules.ts';
import { peopleRules } from './people.rules.ts';
import { senderTrustRules } from './sender-trust.rules.ts';
import { stateRules } from './states.rules.ts';
import { webhookRules } from './webhooks.rules.ts';

/** Sections in the order of the page: the specification's, the decisions', then those of the field. */
export const ruleSections: readonly RuleSection[] = [
  ...bodyRules,
  ...stateRules,
  ...endpointRules,
  ...errorRules,
  ...limitRules,
  ...decisionRules,
  ...conductRules,
  ...accountRules,
  ...peopleRules,
  ...boundRules,
  ...agentRules,
  ...messagingRules,
  ...senderTrustRules,
  ...webhookRules,
  ...paymentRules,
  ...emailRules,
  ...emailDeliveryRules,
  ...domainRules,
];
