import { type Static, Type } from '@sinclair/typebox';

/**
 * The workspace that emails of the platform itself belong to. It has no keys, no members and no account, so
 * nothing that it sends is charged.
 */
export const PLATFORM_WORKSPACE_ID = '00000000-0000-7000-8000-706c6174666d';

export const PlatformEmailPurpose = Type.Union([
  Type.Literal('password_reset'),
  Type.Literal('email_confirmation'),
]);
export type PlatformEmailPurpose = Static<typeof PlatformEmailPurpose>;

/**
 * The gateway asks dispatch to send an email of the platform to one user. No field of it can name another
 * workspace or a price. Topic `svc.platform-emails.v1`, key = message id.
 */
export const SendPlatformEmail = Type.Object({
  message_id: Type.String(),
  purpose: PlatformEmailPurpose,
  /** `addr` or `Name <addr>`, of the settings. */
  from: Type.String(),
  /** In lower case. */
  from_domain: Type.String(),
  /** A bare address. */
  to: Type.String(),
  subject: Type.String(),
  /** What `storeEmailContents` answered. The texts hold the token and are not here. */
  content_sha256: Type.String(),
  /** ISO 8601 UTC with milliseconds. */
  created_at: Type.String(),
});
export type SendPlatformEmail = Static<typeof SendPlatformEmail>;
