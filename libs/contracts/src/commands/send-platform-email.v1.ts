import { type Static, Type } from '@sinclair/typebox';
import { asId, type MessageId, type WorkspaceId } from '../ids.js';
import { idOf, words } from '../shapes.js';

/**
 * The workspace that owns the platform's own emails. It has no keys, members or account, so nothing
 * it sends is charged.
 */
export const PLATFORM_WORKSPACE_ID = asId<WorkspaceId>('00000000-0000-7000-8000-706c6174666d');

export const PlatformEmailPurpose = words(
  'password_reset',
  'email_confirmation',
  'saved_card_deleted',
);
export type PlatformEmailPurpose = Static<typeof PlatformEmailPurpose>;

/**
 * The gateway asks dispatch to send an email of the platform to one user. None of its fields can
 * name another workspace or a price. Topic `svc.platform-emails.v1`, key = message id.
 */
export const SendPlatformEmail = Type.Object({
  message_id: idOf<MessageId>(),
  purpose: PlatformEmailPurpose,
  /** `addr` or `Name <addr>`, from the settings. */
  from: Type.String(),
  /** Domain of `from`, in lower case. */
  from_domain: Type.String(),
  /** The bare address of the user. */
  to: Type.String(),
  subject: Type.String(),
  /**
   * The hash that `storeEmailContents` returned. The texts hold a token, so they are not in the
   * command.
   */
  content_sha256: Type.String(),
  /** Time of the request, ISO 8601 UTC with milliseconds. */
  created_at: Type.String(),
});
export type SendPlatformEmail = Static<typeof SendPlatformEmail>;
