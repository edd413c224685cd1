import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import type { SmtpStage } from '@watchword/email';
import type { EmailSubmit } from '../email-provider.port.js';

export interface SmtpCredentials {
  readonly user: string;
  readonly pass: string;
}

/** How far a conversation came. The kinds differ in whether the email can have been sent. */
export type SendResult =
  | { readonly kind: 'accepted'; readonly providerMessageId: string | null }
  | {
      readonly kind: 'answered';
      readonly stage: SmtpStage;
      readonly code: number;
      readonly text: string;
    }
  /** No answer, and the final dot was not written. */
  | { readonly kind: 'unsent'; readonly code: string; readonly text: string }
  /** No answer to the final dot. */
  | { readonly kind: 'unanswered'; readonly code: string; readonly text: string };

/** Fields that Nodemailer adds to its errors. */
interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Milliseconds. A server that is down must not hold up the next provider. */
export const CONNECT_TIMEOUT_MS = 10_000;
const CHUNK_BYTES = 64 * 1_024;

/** One connection to a server, from its greeting to its end. It carries one email at a time. */
export class SmtpSession {
  /** Emails sent over the connection. */
  sent = 0;
  private readonly connection: SMTPConnection;
  private readonly socket = new Socket();
  private open = false;
  /** Answers the current email when this side closes the connection. */
  private abandon: (error: SmtpError) => void = () => undefined;

  constructor(
    options: SMTPConnectionOptions,
    private readonly onEnd: () => void,
  ) {
    this.connection = new SMTPConnection({ ...options, socket: this.socket });
    this.connection.on('error', () => this.end());
    this.connection.on('end', () => this.end());
  }

  get isOpen(): boolean {
    return this.open;
  }

  /** Returns null when the server accepts the login, else why not. */
  start(credentials: SmtpCredentials | null, deadlineMs: number): Promise<SendResult | null> {
    return new Promise((resolve) => {
      let stage: SmtpStage = 'connect';
      const fail = (error: SmtpError) => {
        clearTimeout(timer);
        clearTimeout(connecting);
        this.close();
        resolve(resultOf(error, stage, null));
      };
      // Nodemailer's time-out covers the greeting only, not the answers after it.
      const timer = setTimeout(() => fail(lateness()), deadlineMs);
      const connecting = setTimeout(() => fail(lateness()), CONNECT_TIMEOUT_MS);
      this.socket.once('connect', () => clearTimeout(connecting));
      this.connection.once('error', fail);
      const ready = () => {
        clearTimeout(timer);
        this.connection.removeListener('error', fail);
        this.open = true;
        resolve(null);
      };
      this.connection.connect((error?: SmtpError | null) => {
        if (error) return fail(error);
        if (credentials === null) return ready();
        stage = 'auth';
        this.connection.login({ credentials: { ...credentials } }, (refused) =>
          refused ? fail(refused as SmtpError) : ready(),
        );
      });
    });
  }

  /** Sends an email. At the deadline the connection is closed. */
  send(request: EmailSubmit, deadlineMs: number): Promise<SendResult> {
    const body = streamOf(request.raw);
    return new Promise((resolve) => {
      const finish = (result: SendResult) => {
        clearTimeout(timer);
        body.removeListener('end', awaitAnswer);
        this.abandon = () => undefined;
        resolve(result);
      };
      const untilMs = performance.now() + deadlineMs;
      let timer = setTimeout(() => this.close(lateness()), deadlineMs);
      const awaitAnswer = () => {
        clearTimeout(timer);
        const leftMs = Math.max(untilMs - performance.now(), request.answerMs ?? 0);
        timer = setTimeout(() => this.close(lateness()), leftMs);
      };
      body.once('end', awaitAnswer);
      // Nodemailer drops the current email when its connection is closed.
      this.abandon = (error) => finish(resultOf(error, 'content', body));
      this.sent += 1;
      this.connection.send(envelopeOf(request), body, (error, info) => {
        if (!error) {
          const id = info?.serverMessageId ?? null;
          return finish({ kind: 'accepted', providerMessageId: id });
        }
        finish(resultOf(error as SmtpError, null, body));
      });
    });
  }

  /** Resets after a refused email. Returns whether the connection can carry another. */
  reset(): Promise<boolean> {
    if (!this.open) return Promise.resolve(false);
    return new Promise((resolve) => {
      const ended = () => resolve(false);
      this.connection.once('end', ended);
      this.connection.reset((error) => {
        this.connection.removeListener('end', ended);
        resolve(!error);
      });
    });
  }

  quit(): void {
    if (this.open) this.connection.quit();
    else this.close();
  }

  close(error: SmtpError = coded('CLOSED', 'The connection was closed.')): void {
    this.abandon(error);
    this.connection.close();
    this.end();
  }

  private end(): void {
    if (!this.open) return;
    this.open = false;
    this.onEnd();
  }
}

function lateness(): SmtpError {
  return coded('DEADLINE', 'The server did not answer in time.');
}

function coded(code: string, message: string): SmtpError {
  return Object.assign(new Error(message), { code });
}

function envelopeOf({ emailId, recipient, attempt, returnPath, to, raw }: EmailSubmit) {
  return {
    from: returnPath,
    to: [to],
    size: raw.length,
    dsn: {
      ret: 'HDRS',
      envid: `${emailId}.${recipient}.${attempt}`,
      notify: ['SUCCESS', 'FAILURE', 'DELAY'],
      orcpt: `rfc822;${to}`,
    },
  };
}

/**
 * Returns a stream that is read only when the server asks for the content. Its end is the final
 * dot.
 */
function streamOf(raw: Buffer): Readable {
  let at = 0;
  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      const chunk = raw.subarray(at, at + CHUNK_BYTES);
      at += chunk.length;
      this.push(chunk.length === 0 ? null : chunk);
    },
  });
}

function resultOf(error: SmtpError, known: SmtpStage | null, body: Readable | null): SendResult {
  const { responseCode, response } = error;
  const text = response ?? error.message;
  if (responseCode) {
    return { kind: 'answered', stage: known ?? stageOf(error, body), code: responseCode, text };
  }
  const code = error.code ?? 'UNKNOWN';
  return { kind: body?.readableEnded === true ? 'unanswered' : 'unsent', code, text };
}

function stageOf({ command }: SmtpError, body: Readable | null): SmtpStage {
  if (body?.readableEnded === true) return 'content';
  if (command === 'MAIL FROM') return 'mail';
  if (command === 'RCPT TO') return 'rcpt';
  return command === 'DATA' ? 'data' : 'connect';
}
