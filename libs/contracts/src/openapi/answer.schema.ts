import { type Static, Type } from '@sinclair/typebox';
import type { MessageKind } from '../channels/channels.js';
import { Email, ListedEmail } from '../http/email.schema.js';
import { MemberRole } from '../http/account.schema.js';
import { agentBounds, KeyMode, KeyPermission } from '../http/operator.schema.js';
import { ListedMessage } from '../http/listed-message.schema.js';
import { SettingFloors, WorkspaceSettings } from '../http/workspace-settings.schema.js';
import { MessageEntry, TopUpKind } from '../rpc/billing-calls.js';
import { CarrierRecord } from '../http/carrier.schema.js';
import { DeliveredEvent } from '../rpc/webhooks-calls.js';
import { nullable } from '../shapes.js';
import { EventOfVariantA, EventOfVariantB } from './webhooks.js';

const text = Type.String();
const kind = <Kind extends MessageKind>(word: Kind) => Type.Object({ kind: Type.Literal(word) });

export const Status = Type.Object({ status: Type.String({ enum: ['ok'] }) });
/** The answer of `/ready`, as a success and as a 503. */
export const Readiness = Type.Object({
  status: Type.String({ enum: ['ready', 'unavailable'] }),
});
export const Balance = Type.Object({
  workspace_id: text,
  balance: Type.Integer(),
  updated_at: text,
});

export const Workspace = Type.Object({
  workspace_id: text,
  name: text,
  billing_country: text,
  balance: Type.Integer(),
  purchased_credits: Type.Integer(),
  settings: WorkspaceSettings,
  /** Present only where an operator set a floor. */
  floors: Type.Optional(SettingFloors),
  created_at: text,
  /** Present only for a workspace that signed up by itself. */
  origin: Type.Optional(Type.Literal('sign_up')),
  /** Trial credits that are entered when an operator confirms the workspace. */
  trial_credits_pending: Type.Optional(Type.Integer()),
  /** Present only while the workspace is suspended. */
  suspended: Type.Optional(Type.Literal(true)),
  /** Present only where the settings or the name have an effect that is easily overlooked. */
  warnings: Type.Optional(
    Type.Array(
      Type.Object({ code: Type.Literal('brand_outside_gsm7'), message: text, field: text }),
    ),
  ),
});
export type Workspace = Static<typeof Workspace>;

export const NewWorkspace = Type.Composite([
  Type.Omit(Workspace, [
    'purchased_credits',
    'floors',
    'origin',
    'trial_credits_pending',
    'suspended',
    'warnings',
    'created_at',
  ]),
  Type.Object({ live_key: text, test_key: text }),
]);

export const TopUp = Type.Object({
  entry_id: text,
  kind: TopUpKind,
  credits: Type.Integer(),
  balance: Type.Integer(),
});

const Person = Type.Object({ user_id: text, email: text });

const keyMembers = {
  key_id: text,
  name: text,
  mode: KeyMode,
  permission: KeyPermission,
  ...agentBounds,
  last4: text,
  /** Null for a key that an operator made, or whose maker is not known. */
  created_by: nullable(Person),
  created_at: text,
};
export const ApiKey = Type.Object({
  ...keyMembers,
  prefix: text,
  revoked_at: nullable(text),
});
/** A created key. Only this answer contains the key itself. */
export const NewApiKey = Type.Object({ ...keyMembers, key: text });

export const PutWebhookAnswer = Type.Object({
  url: text,
  events: Type.Array(text),
  secret: text,
});
export const Webhook = Type.Composite([
  PutWebhookAnswer,
  Type.Object({
    status: Type.String({ enum: ['enabled', 'disabled'] }),
    disabled_reason: nullable(text),
    created_at: text,
    updated_at: text,
  }),
]);
export const RotatedSecret = Type.Object({ secret: text, previous_expires_at: text });
export const TestEvent = Type.Object({ event_id: text, event_type: text, delivery_id: text });

export const SessionAnswer = Type.Object({
  user: Type.Object({
    user_id: text,
    email: text,
    /** Whether the user followed the link in the confirmation email. */
    email_confirmed: Type.Boolean(),
    name: nullable(text),
    role: MemberRole,
    /** Whether the session reaches the operator API, too. */
    operator: Type.Boolean(),
  }),
  workspace: Workspace,
  csrf_token: text,
  expires_at: text,
});
export type SessionAnswer = Static<typeof SessionAnswer>;
export const Member = Type.Object({
  user_id: text,
  email: text,
  name: nullable(text),
  role: MemberRole,
  joined_at: text,
});
export const Invitation = Type.Object({
  id: text,
  email: text,
  role: MemberRole,
  status: Type.Literal('invited'),
  expires_at: text,
  invitation_token: text,
});
export const SignUpInvitation = Type.Omit(Invitation, ['id', 'role']);
/** An invitation that can still be accepted, without its token. */
export const OpenInvitation = Type.Object({
  id: text,
  email: text,
  role: MemberRole,
  invited_by: Person,
  created_at: text,
  expires_at: text,
});
export const PasswordReset = Type.Object({
  user_id: text,
  email: text,
  reset_token: text,
  expires_at: text,
});
/** The answer to a request for an email. An email follows only if the address is known. */
export const EmailRequested = Type.Object({ status: Type.Literal('requested') });
export const OperatorUser = Type.Object({
  user_id: text,
  email: text,
  name: nullable(text),
  /** Whether the user followed the link in the confirmation email. */
  email_confirmed: Type.Boolean(),
  /** Whether the user's sessions reach the operator API. */
  operator: Type.Boolean(),
});
export const UserList = Type.Object({
  data: Type.Array(
    Type.Composite([
      OperatorUser,
      Type.Object({
        workspaces: Type.Array(
          Type.Object({ workspace_id: text, role: MemberRole, joined_at: text }),
        ),
      }),
    ]),
  ),
});
export const ProtectedSenderIds = Type.Object({ sender_ids: Type.Array(text) });
export const AuditEntry = Type.Object({
  id: text,
  actor: Type.Union([
    Type.Object({ type: Type.Literal('user'), user_id: nullable(text), email: nullable(text) }),
    Type.Object({ type: Type.Literal('operator') }),
  ]),
  method: text,
  path: text,
  status: nullable(Type.Integer()),
  /**
   * What the action changed, or the error type it was refused with. Null where there is nothing to
   * add.
   */
  effect: nullable(Type.Record(Type.String(), Type.Unknown())),
  client_ip: nullable(text),
  request_id: text,
  created_at: text,
});
export const OperatorAuditEntry = Type.Composite([
  Type.Omit(AuditEntry, ['actor']),
  Type.Object({
    /** An operator who came by the token has no name. */
    actor: Type.Object({
      type: Type.Union([Type.Literal('user'), Type.Literal('operator')]),
      user_id: nullable(text),
      email: nullable(text),
    }),
    workspace_id: nullable(text),
  }),
]);
export type OperatorAuditEntry = Static<typeof OperatorAuditEntry>;
/** A message of any channel, as the dashboard lists it. */
export const FoundOwnMessage = Type.Union([
  ...ListedMessage.anyOf,
  Type.Composite([kind('email'), ListedEmail]),
]);
export type FoundOwnMessage = Static<typeof FoundOwnMessage>;

/** An attempt of any channel, with the meaning of the carrier's code. */
const ExplainedAttempt = Type.Object({
  provider: text,
  /** Present for emails. */
  recipient: Type.Optional(text),
  attempted_at: text,
  ok: Type.Boolean(),
  provider_message_id: nullable(text),
  /** What the carrier answered, or the reason where it gave no code. */
  error_code: nullable(text),
  error_message: nullable(text),
  late_delivery: Type.Optional(Type.Boolean()),
  /** One of the documented reasons; null for an attempt that did not fail, and for emails. */
  reason: nullable(text),
  /** The reason in plain words. */
  meaning: nullable(text),
});

/** Everything about a message on one page. */
export const MessagePage = Type.Object({
  message: Type.Union([...ListedMessage.anyOf, Type.Composite([kind('email'), Email])]),
  attempts: Type.Array(ExplainedAttempt),
  /** Its charge and its refund, and those of its resends. */
  entries: Type.Array(MessageEntry),
  events: Type.Array(DeliveredEvent),
});
export type MessagePage = Static<typeof MessagePage>;

/** An email for operators. Without `reveal` it has no subject, and no custom headers and files either. */
const OperatorEmail = Type.Composite([
  kind('email'),
  Type.Object({ workspace_id: text }),
  Type.Omit(ListedEmail, ['subject']),
  Type.Object({ subject: nullable(text) }),
]);

const ForOperators = Type.Object({
  revealed: Type.Boolean(),
  /** Of a code or SMS. */
  attempt_reasons: Type.Optional(Type.Array(nullable(text))),
});

/**
 * A message for operators. Without `reveal` its number or addresses are masked, its texts are null or absent, and
 * its metadata is empty.
 */
export const OperatorMessage = Type.Union(
  [...ListedMessage.anyOf, OperatorEmail].map((record) => Type.Composite([record, ForOperators])),
);
export type OperatorMessage = (ListedMessage | Static<typeof OperatorEmail>) &
  Static<typeof ForOperators>;

/** Bodies of events, exactly as webhooks deliver them, oldest first. */
export const EventsPage = Type.Object({
  data: Type.Array(Type.Union([EventOfVariantA, EventOfVariantB])),
  next_after: Type.Optional(Type.Integer()),
});

export const LiftedPrefix = Type.Object({ workspace_id: text, prefix: text, lifted: text });

/**
 * Dead letters of one cause: their count and the place of the newest ones, without their content.
 */
export const DeadLetters = Type.Object({
  topic: text,
  group: text,
  reason: text,
  count: Type.Integer(),
  first_died_at: text,
  last_died_at: text,
  can_be_replayed: Type.Boolean(),
  newest: Type.Array(
    Type.Object({
      id: text,
      type: text,
      attempts: Type.Integer(),
      origin: Type.Object({ topic: text, partition: Type.Integer(), offset: text }),
    }),
  ),
});
export type DeadLetters = Static<typeof DeadLetters>;

export const DeadLettersList = Type.Object({
  data: Type.Array(DeadLetters),
  /** Some topic holds more dead letters than were read. */
  has_more: Type.Boolean(),
});
export const DiscardedDeadLetters = Type.Object({
  topic: text,
  group: text,
  discarded: Type.Integer(),
});
export const ReplayedDeadLetters = Type.Object({
  topic: text,
  group: text,
  replayed: Type.Integer(),
});

export const CarrierAccountList = Type.Object({ data: Type.Array(CarrierRecord) });
