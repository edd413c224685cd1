import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';

/** A customer of the load, with what the checker must know of its settings. */
export interface LoadedWorkspace {
  id: string;
  /** Target of its webhooks, and the secret of their signatures. Null without a webhook. */
  webhook: { path: string; secret: string } | null;
  /** Limits by number and prefix that are in force; null is no limit. */
  limits: {
    otp_sends_per_number_per_10_minutes: number | null;
    otp_verifications_per_number_per_10_minutes: number | null;
    sms_per_number_per_minute: number | null;
    otp_sends_per_prefix_per_hour: number | null;
  };
}

export type Operation = 'otp_send' | 'sms_send' | 'otp_verify';

/** An HTTP exchange. A repeated request has several, with one key. */
export interface Exchange {
  workspaceId: string;
  operation: Operation;
  idempotencyKey: string;
  /** The body as sent, byte for byte. */
  body: string;
  destination: string;
  sentAt: number;
  answeredAt: number;
  /** Null when no answer came: the request may have had its effect or not. */
  status: number | null;
  answer: string;
  replayed: boolean;
}

/** The result of a `GET` of a message. */
export interface Observation {
  id: string;
  sentAt: number;
  answeredAt: number;
  httpStatus: number;
  status: string;
}

/** A webhook attempt as the receiver saw it. */
export interface ReceivedAttempt {
  path: string;
  eventId: string;
  signature: string;
  body: string;
  /** Status that the receiver answered. */
  status: number;
  receivedAt: number;
}

/** A message on a handset, as the carrier simulator reports it. */
export interface HandsetMessage {
  provider: string;
  to: string;
  /** The carrier's own id. */
  reference: string;
}

export interface ClientLog {
  workspaces: LoadedWorkspace[];
  exchanges: Exchange[];
  observations: Observation[];
  /** Destinations without receipts by request, where `sent` is the end. */
  silentDestinations: string[];
}

type Line = {
  [Kind in keyof ClientLog]: { kind: Kind; entry: ClientLog[Kind][number] };
}[keyof ClientLog];

/** Kept in memory and, for people, as NDJSON beside it. */
export class ClientLogWriter {
  readonly log: ClientLog = emptyLog();
  private readonly file: WriteStream | undefined;

  constructor(path?: string) {
    this.file = path === undefined ? undefined : createWriteStream(path, { mode: 0o600 });
  }

  add<Kind extends keyof ClientLog>(kind: Kind, entry: ClientLog[Kind][number]): void {
    (this.log[kind] as ClientLog[Kind][number][]).push(entry);
    this.file?.write(`${JSON.stringify({ kind, entry })}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => (this.file ? this.file.end(() => resolve()) : resolve()));
  }
}

export function readClientLog(path: string): ClientLog {
  const log = emptyLog();
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    if (text === '') continue;
    const { kind, entry } = JSON.parse(text) as Line;
    (log[kind] as unknown[]).push(entry);
  }
  return log;
}

/** 5xx and silence leave open what happened; so does a key that is still being worked on. */
export function isDefinite({ status, answer }: Pick<Exchange, 'status' | 'answer'>): boolean {
  if (status === null || status >= 500) return false;
  return !(status === 409 && errorType(answer) === 'conflict');
}

export function isAccepted({ status }: Pick<Exchange, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

export function errorType(answer: string): string | undefined {
  try {
    return (JSON.parse(answer) as { error?: { type?: string } }).error?.type;
  } catch {
    return undefined;
  }
}

export function emptyLog(): ClientLog {
  return { workspaces: [], exchanges: [], observations: [], silentDestinations: [] };
}
