import type { SendMessage, WorkspaceId } from '@watchword/contracts';
import type { Attempt, Message } from './message.js';
import type { Outgoing } from './message-event.policy.js';
import type { Scope } from './scope.policy.js';

/** The idempotency key of a counted verification, and the answer it got. */
export interface KeyRow {
  readonly workspaceId: WorkspaceId;
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly result: unknown;
  readonly createdAt: Date;
}

export interface MessageWrite {
  /** Null: the message is new. */
  readonly before: Message | null;
  readonly message: Message;
  /** New and changed ones. */
  readonly attempts: readonly Attempt[];
  readonly outgoing: readonly Outgoing[];
  readonly keys?: readonly KeyRow[];
  /** The carrier refused the number as opted out of this sender: that counts as a STOP to it. */
  readonly optsOut?: boolean | undefined;
  /** Of a new message that waits for its `send_at`: kept until it is due. */
  readonly scheduled?: SendMessage | undefined;
  /** The statement leaves a message outside them alone. */
  readonly within?: Scope | undefined;
}
