import type { SMTPServerSession } from 'smtp-server';

/** A server that reports to us needs a few at once. The listener has a hundred for all clients. */
const SESSIONS_PER_CLIENT = 10;
/** Milliseconds. A report of a megabyte takes seconds; each byte renews the idle time-out. */
const SESSION_MAX_MS = 120_000;

interface Opened {
  readonly client: string;
  readonly timer: NodeJS.Timeout;
}

/** The open sessions of a listener: a few for each client, each for a bounded time. */
export class SmtpSessions {
  private readonly opened = new Map<SMTPServerSession, Opened>();

  /** Returns false where the client has too many. Calls `end` when the session has lasted too long. */
  open(session: SMTPServerSession, client: string, end: () => void): boolean {
    const others = [...this.opened.values()].filter((opened) => opened.client === client);
    if (others.length >= SESSIONS_PER_CLIENT) return false;
    const timer = setTimeout(end, SESSION_MAX_MS);
    timer.unref();
    this.opened.set(session, { client, timer });
    return true;
  }

  close(session: SMTPServerSession): void {
    clearTimeout(this.opened.get(session)?.timer);
    this.opened.delete(session);
  }
}
