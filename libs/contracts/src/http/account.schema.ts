import { type Static, Type } from '@sinclair/typebox';
import { UUID_PATTERN } from './common.schema.js';
import { ChangeWorkspaceBody } from './operator.schema.js';

export const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 200;
const EMAIL_LENGTH_MAX = 254;

/** Refuses only what cannot be an address. */
const Email = Type.String({
  maxLength: EMAIL_LENGTH_MAX,
  pattern: '^[^\\s@]+@[^\\s@.]+(?:\\.[^\\s@.]+)+$',
});

const NewPassword = Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX });
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX });
const Token = Type.String({ minLength: 1, maxLength: 100 });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const InvitationToken = Type.Optional(Token);

/** `owner`: everything. `member`: everything except settings of the workspace and its members. */
export const MemberRole = Type.Union([Type.Literal('owner'), Type.Literal('member')]);
export type MemberRole = Static<typeof MemberRole>;

export const SignUpBody = Type.Object({
  email: Email,
  password: NewPassword,
  /** The person's. */
  name: Type.Optional(Name),
  workspace_name: Type.Optional(Name),
  billing_country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  /** A member's invitation joins that workspace; an operator's allows a new one. */
  invitation_token: InvitationToken,
});
export type SignUpBody = Static<typeof SignUpBody>;

/** Any text is allowed. A text that cannot be an address or a password is a wrong one. */
export const LogInBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: EMAIL_LENGTH_MAX }),
  password: Password,
  /** One of the user's workspaces; by default the one joined last. */
  workspace_id: Type.Optional(Type.String({ pattern: UUID_PATTERN })),
  invitation_token: InvitationToken,
});
export type LogInBody = Static<typeof LogInBody>;

export const InviteMemberBody = Type.Object({
  email: Email,
  role: Type.Optional(MemberRole),
});
export type InviteMemberBody = Static<typeof InviteMemberBody>;

/** `limits` is in it, because a change of them is refused by permission and not by form. */
export const ChangeOwnWorkspaceBody = Type.Pick(ChangeWorkspaceBody, ['name', 'settings']);

/** By an operator. */
export const InviteBody = Type.Object({ email: Email });
export type InviteBody = Static<typeof InviteBody>;

export const ChangePasswordBody = Type.Object({
  current_password: Password,
  new_password: NewPassword,
});
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;

export const RedeemPasswordResetBody = Type.Object({
  reset_token: Token,
  new_password: NewPassword,
});
export type RedeemPasswordResetBody = Static<typeof RedeemPasswordResetBody>;

/** Any text that can be an address; the answer is the same for a known and an unknown one. */
export const RequestPasswordResetBody = Type.Object({ email: Email });
export type RequestPasswordResetBody = Static<typeof RequestPasswordResetBody>;

export const ConfirmEmailBody = Type.Object({ confirmation_token: Token });
export type ConfirmEmailBody = Static<typeof ConfirmEmailBody>;

export const UserListQuery = Type.Object({
  email: Type.String({ minLength: 1, maxLength: EMAIL_LENGTH_MAX }),
});
export type UserListQuery = Static<typeof UserListQuery>;
