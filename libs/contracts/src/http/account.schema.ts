import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { UUID_PATTERN } from './common.schema.js';
import { ChangeWorkspaceBody } from './operator.schema.js';
import { WorkspaceSettingsPatch } from './workspace-settings.schema.js';
import { idOf, words } from '../shapes.js';

export const PASSWORD_LENGTH_MIN = 12;
const PASSWORD_LENGTH_MAX = 200;
const EMAIL_LENGTH_MAX = 254;

/** Of one address of a client, invited people included. */
export const SIGN_UPS_PER_DAY = 5;
/** Of one workspace. */
export const INVITATIONS_PER_DAY = 50;
/** Requests of one client for emails of one purpose. */
export const EMAIL_REQUESTS_PER_HOUR = 10;
/** Emails with a link to one mailbox. */
export const MAILBOX_EMAILS_PER_HOUR = 5;
export const MAILBOX_EMAILS_PER_DAY = 20;

/** An email address. The local part is ASCII, as in the emails that are sent; a domain may be international. */
const Email = Type.String({
  maxLength: EMAIL_LENGTH_MAX,
  pattern:
    "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9\\u00a1-\\uffff-]{1,63}(?:\\.[A-Za-z0-9\\u00a1-\\uffff-]{1,63})+$",
});

const NewPassword = Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX });
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX });
const Token = Type.String({ minLength: 1, maxLength: 100 });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const InvitationToken = Type.Optional(Token);

/** `docs/reference/permissions.md` lists what each role may do. */
export const MemberRole = words('owner', 'member');
export type MemberRole = Static<typeof MemberRole>;

export const SignUpBody = Type.Object({
  email: Email,
  password: NewPassword,
  /** Name of the person. */
  name: Type.Optional(Name),
  workspace_name: Type.Optional(Name),
  billing_country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  /**
   * With a member's invitation the person joins that workspace. With an operator's the person
   * creates one.
   */
  invitation_token: InvitationToken,
});
export type SignUpBody = Static<typeof SignUpBody>;

/**
 * Accepts any text. A text that cannot be an address or a password gets the answer for a wrong one.
 */
export const LogInBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: EMAIL_LENGTH_MAX }),
  password: Password,
  /** Id of one of the user's workspaces. Default: the one joined last. */
  workspace_id: Type.Optional(idOf<WorkspaceId>({ pattern: UUID_PATTERN })),
  invitation_token: InvitationToken,
});
export type LogInBody = Static<typeof LogInBody>;

/** The token of the link that `npm start` prints. */
export const LogInByLinkBody = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 100 }),
});
export type LogInByLinkBody = Static<typeof LogInByLinkBody>;

export const InviteMemberBody = Type.Object({
  email: Email,
  role: Type.Optional(MemberRole),
});
export type InviteMemberBody = Static<typeof InviteMemberBody>;

/** What becomes of the keys that the person made. Needed where live ones still work. */
export const RemoveMemberQuery = Type.Object({ keys: Type.Optional(words('revoke', 'keep')) });
export type RemoveMemberQuery = Static<typeof RemoveMemberQuery>;

/**
 * Includes the settings of the operator, so that a change of them is refused with
 * `permission_error` and not as a bad body.
 */
export const ChangeOwnWorkspaceBody = Type.Object(
  {
    name: ChangeWorkspaceBody.properties.name,
    settings: Type.Optional(WorkspaceSettingsPatch),
  },
  { additionalProperties: false },
);
export type ChangeOwnWorkspaceBody = Static<typeof ChangeOwnWorkspaceBody>;

/** An operator's invitation of a person. */
export const InviteBody = Type.Object({ email: Email });
export type InviteBody = Static<typeof InviteBody>;

export const ChangePasswordBody = Type.Object({
  current_password: Password,
  new_password: NewPassword,
});
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;

/** `revoke_keys`: for the owner of an address with which another person has signed up. */
export const RedeemPasswordResetBody = Type.Object({
  reset_token: Token,
  new_password: NewPassword,
  revoke_keys: Type.Optional(Type.Boolean({ default: false })),
});
export type RedeemPasswordResetBody = Static<typeof RedeemPasswordResetBody>;

/**
 * Accepts any text that can be an address. The answer is the same for known and unknown addresses.
 */
export const RequestPasswordResetBody = Type.Object({ email: Email });
export type RequestPasswordResetBody = Static<typeof RequestPasswordResetBody>;

export const ConfirmEmailBody = Type.Object({ confirmation_token: Token });
export type ConfirmEmailBody = Static<typeof ConfirmEmailBody>;

export const UserListQuery = Type.Object({
  email: Type.String({ minLength: 1, maxLength: EMAIL_LENGTH_MAX }),
});
export type UserListQuery = Static<typeof UserListQuery>;
