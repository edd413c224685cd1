import { randomUUID } from 'node:crypto';

/** One email to one envelope recipient, as received. */
export interface ReceivedEmail {
  readonly id: string;
  /** The carrier that brought it: `smtp` or `ses`. */
  readonly provider: string;
  /** Envelope sender. Empty for `<>`. */
  readonly from: string;
  readonly to: string;
  readonly raw: Buffer;
  readonly receivedAtMs: number;
}

/** Bounds memory for emails of any size. */
const EMAILS_MAX = 10_000;
const BYTES_MAX = 128 * 1_024 * 1_024;

/** The last emails that reached a mailbox, oldest first. */
export class MailboxStore {
  private emails: ReceivedEmail[] = [];
  private bytes = 0;

  get size(): number {
    return this.emails.length;
  }

  add(email: Omit<ReceivedEmail, 'id'>): ReceivedEmail {
    const kept = { ...email, id: randomUUID() };
    this.emails.push(kept);
    this.bytes += kept.raw.length;
    let forgotten = 0;
    while (this.emails.length - forgotten > EMAILS_MAX || this.bytes > BYTES_MAX) {
      if (forgotten === this.emails.length - 1) break;
      this.bytes -= this.emails[forgotten]!.raw.length;
      forgotten += 1;
    }
    if (forgotten > 0) this.emails.splice(0, forgotten);
    return kept;
  }

  find(to: string | undefined, sinceMs: number): ReceivedEmail[] {
    const wanted = to?.toLowerCase();
    return this.emails.filter(
      (email) =>
        email.receivedAtMs >= sinceMs &&
        (wanted === undefined || email.to.toLowerCase() === wanted),
    );
  }

  get(id: string): ReceivedEmail | undefined {
    return this.emails.find((email) => email.id === id);
  }

  clear(): void {
    this.emails = [];
    this.bytes = 0;
  }
}
