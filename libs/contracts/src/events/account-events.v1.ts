import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { AntiSpamAllow } from '../http/workspace-settings.schema.js';
import { idOf, nullable, words } from '../shapes.js';

/**
 * A change of an account that other services mirror. Topic `svc.account-events.v1`, key =
 * workspace.
 */
export const AccountEvent = Type.Object({
  type: words('workspace.created', 'workspace.updated'),
  workspace_id: idOf<WorkspaceId>(),
  name: Type.String(),
  /** Dispatch holds the messages of a suspended workspace. Absent means false. */
  suspended: Type.Optional(Type.Boolean()),
  /**
   * Countries that live messages may go to; null where the workspace enforces no list. Dispatch refuses a
   * scheduled message to another country when it is due. Absent from events of older versions.
   */
  enforced_countries: Type.Optional(nullable(Type.Array(Type.String()))),
  /**
   * Sender IDs that need no registration, where the workspace enforces registered ones; null where it does
   * not. Dispatch rejects a scheduled message with another sender ID when it is due. Absent from events of
   * older versions.
   */
  shared_sender_ids: Type.Optional(nullable(Type.Array(Type.String()))),
  /**
   * What happens to flagged texts. Dispatch judges a scheduled message by it when it is due. Absent from events
   * of older versions.
   */
  anti_spam: Type.Optional(words('off', 'tag', 'block')),
  /**
   * What is not judged, where the workspace wants texts judged and lists exceptions. Absent otherwise, and from
   * events of older versions.
   */
  anti_spam_allow: Type.Optional(AntiSpamAllow),
  /**
   * What happens to a promotional message in a country's quiet hours. Dispatch lets a scheduled one wait for
   * their end. Absent from events of older versions.
   */
  quiet_hours: Type.Optional(words('off', 'refuse', 'delay')),
  occurred_at: Type.String(),
});
export type AccountEvent = Static<typeof AccountEvent>;
