export interface EmailRow {
  id: string;
  workspace_id: string;
  test_mode: boolean;
  queued_at: Date | null;
  refunded: boolean | null;
  settled_at: Date | null;
}

/** A copy as the local mailbox got it. */
export interface ReceivedEmail {
  /** Id from its Message-ID. */
  emailId: string;
  /** Envelope recipient. */
  to: string;
}

export interface EmailRecipientRow {
  email_id: string;
  number: number;
  address: string;
  state: string;
  due_at: Date | null;
  failure_announced: boolean;
  delayed_at: Date | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  ended_at: Date | null;
  complained_at: Date | null;
  unsubscribed_at: Date | null;
}

export interface EmailAttemptRow {
  email_id: string;
  recipient: number;
  number: number;
  provider: string;
  outcome: string | null;
  was_ambiguous: boolean;
  held_by: string | null;
}

export interface EmailEvidence {
  emails: ReadonlyMap<string, EmailRow>;
  /** Recipients by email. */
  recipients: ReadonlyMap<string, EmailRecipientRow[]>;
  attempts: ReadonlyMap<string, EmailAttemptRow[]>;
  mailbox: readonly ReceivedEmail[];
}
