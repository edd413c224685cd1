import type { TSchema, TUnion } from '@sinclair/typebox';
import { ErrorEnvelope, ErrorTypeText } from '../http/error.schema.js';
import { SendOtpAnswer, OtpDetails, ResendOtpAnswer, VerifyOtpAnswer } from '../http/otp.schema.js';
import { ListedMessage } from '../http/listed-message.schema.js';
import { NewPayment, OperatorPayment, Payment, TopUpSettings } from '../http/payment.schema.js';
import { PlatformSettings } from '../http/operator.schema.js';
import { PublicPriceList } from '../http/pricing.schema.js';
import { QuoteAnswer } from '../http/quote.schema.js';
import { QuoteBody } from '../http/quote-body.schema.js';
import { SenderId, SenderIdList } from '../http/sender-id.schema.js';
import { QuietHours, SenderRule, SenderRules } from '../http/sender-rules.schema.js';
import { RenderedSmsTemplate, SmsTemplate } from '../http/sms-template.schema.js';
import {
  BatchItemError,
  SmsBatchAnswer,
  SmsBatchItem,
  SmsMessage,
} from '../http/messaging.schema.js';
import { SendSmsAnswer, SmsDetails } from '../http/sms.schema.js';
import { ShownHop, UUID_PATTERN } from '../http/common.schema.js';
import { DeviceLogIn, DeviceLogInStarted, DevicePoll } from '../http/device-log-in.schema.js';
import { DndUpload } from '../http/dnd.schema.js';
import { Erasure } from '../http/erasure.schema.js';
import { Domain, PlatformEmail } from '../http/domain.schema.js';
import {
  Email,
  EmailBatchAnswer,
  EmailBatchItem,
  ListedEmail,
  SentEmail,
} from '../http/email.schema.js';
import {
  EmailAddressSuppression,
  SmsSuppression,
  Suppression,
} from '../http/suppression.schema.js';
import { RotatedSecret } from '../http/webhook.schema.js';
import { WorkspaceSettings } from '../http/workspace-settings.schema.js';
import { ProviderAttempt } from '../events/message-events.v1.js';
import { LedgerEntry, MessageEntry, Plan, PriceList, Statement } from '../rpc/billing-calls.js';
import { CarrierRecord } from '../http/carrier.schema.js';
import { DomainRecord } from '../rpc/domain-calls.js';
import { Overview, OverviewFigures } from '../http/overview.schema.js';
import * as webhooks from '../rpc/webhooks-calls.js';
import { DOCUMENTED_ROUTES } from '../routes/routes.js';
import * as answers from './answer.schema.js';
import { described } from './vocabulary.js';
import { EventOfVariantA, EventOfVariantB } from './webhooks.js';
import { pageOf, publishedOf } from '../shapes.js';

export type Json = Record<string, unknown>;

const START = '#/components/schemas/';

/** Schemas by their names in the API. Where two schemas are equal, the first name counts. */
const NAMED: Readonly<Record<string, TSchema>> = {
  ErrorType: ErrorTypeText,
  Otp: OtpDetails,
  SentOtp: SendOtpAnswer,
  ResentOtp: ResendOtpAnswer,
  OtpVerification: VerifyOtpAnswer,
  SmsMessage,
  SmsDetails,
  SentSms: SendSmsAnswer,
  SmsBatch: SmsBatchAnswer,
  BatchItemError,
  SmsBatchItem,
  EmailBatchItem,
  TimelineHop: ShownHop,
  ProviderAttempt,
  RegisteredSenderId: SenderId,
  SenderIdList,
  DeviceLogIn,
  DeviceLogInStarted,
  DevicePoll,
  SmsTemplate,
  RenderedSmsTemplate,
  Suppression,
  SmsSuppression,
  EmailAddressSuppression,
  Domain,
  DomainRecord,
  Email,
  ListedEmail,
  SentEmail,
  EmailBatch: EmailBatchAnswer,
  LedgerEntry,
  Overview,
  OverviewFigures,
  OverviewPoint: Overview.properties.points.items,
  OverviewGroup: Overview.properties.groups.items,
  Statement,
  StatementLine: Statement.properties.charges.items,
  Plan,
  PublicPriceList,
  PriceList,
  Quote: QuoteAnswer,
  ...branches(QuoteBody, 'QuoteOtp', 'QuoteTransactionalSms', 'QuoteMessage', 'QuoteEmail'),
  Webhook: webhooks.WebhookRecord,
  CreatedWebhook: webhooks.CreatedWebhook,
  WebhookDelivery: webhooks.WebhookDeliveryRecord,
  WebhookRecovery: webhooks.WebhookRecovery,
  WebhookAttempt: webhooks.WebhookAttempt,
  RotatedSecret,
  WorkspaceSettings,
  Workspace: answers.Workspace,
  CreatedWorkspace: answers.NewWorkspace,
  WorkspaceWebhook: answers.Webhook,
  PutWorkspaceWebhookAnswer: answers.PutWebhookAnswer,
  WorkspaceWebhookDelivery: webhooks.WebhookDelivery,
  WorkspaceWebhookSecret: answers.RotatedSecret,
  TestEvent: answers.TestEvent,
  Health: answers.Status,
  Readiness: answers.Readiness,
  AccountBalance: answers.Balance,
  TopUp: answers.TopUp,
  Payment,
  CreatedPayment: NewPayment,
  OperatorPayment,
  TopUpSettings,
  ApiKey: answers.ApiKey,
  CreatedApiKey: answers.NewApiKey,
  Session: answers.SessionAnswer,
  Member: answers.Member,
  Invitation: answers.Invitation,
  OpenInvitation: answers.OpenInvitation,
  SignUpInvitation: answers.SignUpInvitation,
  PasswordReset: answers.PasswordReset,
  UserList: answers.UserList,
  OperatorUser: answers.OperatorUser,
  ProtectedSenderIds: answers.ProtectedSenderIds,
  ...branches(answers.AuditEntry.properties.actor, 'UserActor', 'OperatorActor'),
  SenderRules,
  SenderRule,
  QuietHours,
  AuditRecord: answers.AuditEntry,
  PlatformAuditRecord: answers.OperatorAuditEntry,
  ...branches(ListedMessage, 'ListedOtp', 'ListedSms'),
  ListedMessage,
  ...branches(answers.FoundOwnMessage, 'ListedOtp', 'ListedSms', 'ListedOwnEmail'),
  FoundOwnMessage: answers.FoundOwnMessage,
  ...branches(answers.MessagePage.properties.message, 'ListedOtp', 'ListedSms', 'OwnEmail'),
  MessageAttempt: answers.MessagePage.properties.attempts.items,
  MessageEntry,
  MessageEvent: webhooks.DeliveredEvent,
  MessagePage: answers.MessagePage,
  ...branches(answers.OperatorMessage, 'FoundOtp', 'FoundSms', 'FoundEmail'),
  OperatorMessage: answers.OperatorMessage,
  EventOfVariantA,
  EventOfVariantB,
  EventsPage: answers.EventsPage,
  LiftedPrefix: answers.LiftedPrefix,
  DeadLetters: answers.DeadLetters,
  DeadLettersList: answers.DeadLettersList,
  ReplayedDeadLetters: answers.ReplayedDeadLetters,
  DiscardedDeadLetters: answers.DiscardedDeadLetters,
  EmailRequested: answers.EmailRequested,
  PlatformEmail,
  PlatformSettings,
  DndUpload,
  Erasure,
  CarrierAccount: CarrierRecord,
  CarrierAccountList: answers.CarrierAccountList,
};

/** Names the branches of a union, in their order. Generators of clients make a type of each name. */
function branches(union: TUnion, ...names: string[]): Record<string, TSchema> {
  return Object.fromEntries(names.map((name, index) => [name, union.anyOf[index] as TSchema]));
}

/** Returns the schema without TypeBox's symbols, in the words that generators of clients know. */
export function plain(schema: TSchema): Json {
  const text = JSON.stringify(schema, (_, value) => publishedOf(value) ?? (value as unknown));
  return JSON.parse(text, (_, value) => usual(value)) as Json;
}

/** Every name of a member of `Type.Record`. */
const ANY_NAME = '^(.*)$';
const INT32_MAX = 2 ** 31 - 1;

/**
 * Writes a list of words as `enum`, another union as `oneOf`, a map from any name as `additionalProperties`, the
 * pattern of an id as its format, `true` as a boolean, and a number with its format: without one many generators take
 * an integer of 32 bits, which a balance can exceed.
 */
function usual(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { anyOf, patternProperties, ...others } = value as Json & {
    anyOf?: Json[];
    patternProperties?: Json;
  };
  if (anyOf?.every(({ const: word }) => typeof word === 'string')) {
    return { type: 'string', enum: anyOf.map(({ const: word }) => word), ...others };
  }
  if (anyOf) return { oneOf: anyOf, ...others };
  const { type, pattern, maximum } = others;
  if (type === 'integer') {
    const isSmall = typeof maximum === 'number' && maximum <= INT32_MAX;
    return { format: isSmall ? 'int32' : 'int64', ...others };
  }
  if (type === 'number') return { format: 'double', ...others };
  if (pattern === UUID_PATTERN) return { ...others, pattern: undefined, format: 'uuid' };
  if (patternProperties && ANY_NAME in patternProperties) {
    return { ...others, additionalProperties: patternProperties[ANY_NAME] };
  }
  return typeof others['const'] === 'boolean' ? { ...others, const: undefined } : value;
}

/** The named schemas, and a record of those that the document uses. */
export class Components {
  private readonly nameOf = new Map<string, string>();
  private readonly schemas: Record<string, Json> = {};
  private readonly usedNames = new Set<string>(['ErrorType', 'ErrorResponse']);

  constructor() {
    const error = plain(ErrorEnvelope) as { properties: { error: { properties: Json } } };
    error.properties.error.properties['type'] = { $ref: `${START}ErrorType` };
    this.schemas['ErrorResponse'] = error;
    for (const [name, schema] of Object.entries(NAMED)) this.add(name, schema);
    for (const [name, schema] of Object.entries(NAMED)) {
      this.add(`${name}Page`, pageOf(schema));
    }
    for (const { body, operationId } of DOCUMENTED_ROUTES) {
      if (body) this.add(`${operationId[0]?.toUpperCase()}${operationId.slice(1)}Request`, body);
    }
  }

  schemaOf(schema: TSchema): Json {
    return described(this.referring(plain(schema)) as Json);
  }

  /** Returns the definitions that are used, and those that these refer to. */
  used(): Json {
    const written: Json = {};
    for (const name of this.usedNames) {
      const definition = this.schemas[name] as Json;
      written[name] = described(this.inside(definition), name);
    }
    return written;
  }

  private add(name: string, schema: TSchema): void {
    const definition = plain(schema);
    const text = JSON.stringify(definition);
    if (this.nameOf.has(text)) return;
    this.nameOf.set(text, name);
    this.schemas[name] = definition;
  }

  private referring(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const name = this.nameOf.get(JSON.stringify(value));
    if (name === undefined) return this.inside(value);
    this.usedNames.add(name);
    return { $ref: `${START}${name}` };
  }

  private inside(value: object): unknown {
    if (Array.isArray(value)) return value.map((item) => this.referring(item));
    const members = Object.entries(value).map(([key, item]) => [key, this.referring(item)]);
    return this.discriminated(Object.fromEntries(members) as Json);
  }

  /** Adds the member that says which branch of a union a value is, where each branch has its own word for it. */
  private discriminated(schema: Json): Json {
    const { oneOf } = schema as { oneOf?: { $ref?: string }[] };
    const references = oneOf?.flatMap(({ $ref }) => $ref ?? []) ?? [];
    if (references.length < 2 || references.length !== oneOf?.length) return schema;
    const words = references.map((reference) =>
      wordsOf(this.schemas[reference.slice(START.length)]),
    );
    const propertyName = Object.keys(words[0] ?? {}).find(
      (name) => new Set(words.map((own) => own[name])).size === words.length,
    );
    if (propertyName === undefined || !words.every((own) => propertyName in own)) return schema;
    const mapping = Object.fromEntries(
      references.map((reference, index) => [words[index]?.[propertyName], reference]),
    );
    return { ...schema, discriminator: { propertyName, mapping } };
  }
}

/** Returns the members of the schema that are one word. */
function wordsOf(schema: Json | undefined): Record<string, string> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, Json> };
  const words = Object.entries(properties).flatMap(([name, { const: word }]) =>
    typeof word === 'string' ? [[name, word] as const] : [],
  );
  return Object.fromEntries(words);
}
