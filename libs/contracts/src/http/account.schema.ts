import { type Static, Type } from '@sinclair/typebox';
import { UUID_PATTERN } from './common.schema.js';
import { ChangeWorkspaceBody } from './operator.schema.js';

export const PASSWORD_LENGTH_MIN = 8;
const PASSWORD_LENGTH_MAX = 200;
const EMAIL_LENGTH_MAX = 254;

/** Whether mail arrives there only a mail can tell; this keeps out what certainly is no address. */
const Email = Type.String({
  maxLength: EMAIL_LENGTH_MAX,
  pattern: '^[^\\s@]+@[^\\s@.]+(?:\\.[^\\s@.]+)+$',
});

const NewPassword = Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const InvitationToken = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));

/** `owner`: everything. `member`: everything but the settings of the workspace and its members. */
export const MemberRole = Type.Union([Type.Literal('owner'), Type.Literal('member')]);
export type MemberRole = Static<typeof MemberRole>;

export const SignUpBody = Type.Object({
  email: Email,
  password: NewPassword,
  /** The person's. */
  name: Type.Optional(Name),
  workspace_name: Type.Optional(Name),
  billing_country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  /** Joins the workspace of the invitation instead of opening a new one. */
  invitation_token: InvitationToken,
});
export type SignUpBody = Static<typeof SignUpBody>;

/** Any text may be tried: what cannot be an address or a password is simply wrong. */
export const LogInBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: EMAIL_LENGTH_MAX }),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX }),
  /** Which one of several; without it the one joined last. */
  workspace_id: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
  invitation_token: InvitationToken,
});
export type LogInBody = Static<typeof LogInBody>;

export const InviteMemberBody = Type.Object({
  email: Email,
  role: Type.Optional(MemberRole),
});
export type InviteMemberBody = Static<typeof InviteMemberBody>;

/** As the operator's; that `limits` may not be changed here is a matter of permission, not of form. */
export const ChangeOwnWorkspaceBody = ChangeWorkspaceBody;
