import { Inject, Injectable } from '@nestjs/common';
import { EmailTokens, REPORT_BYTES_MAX, type RecipientRef } from '@watchword/email';
import { type Clock, EMAIL_BYTES_MAX } from '@watchword/contracts';
import { EmailSettings } from '@watchword/config';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER, PLATFORM, type Platform } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { clientIp } from '../../limits/client-ip.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { BounceMessageHandler } from './bounce-message.handler.js';
import { EmailHitsHandler } from './email-hits.handler.js';
import { SmtpSessions } from './smtp-sessions.js';

const MINUTE = 60;
const HOUR = 3_600;
/** Recipients without a valid token, per address. Valid tokens have their own limit. */
const UNKNOWN_RECIPIENTS_PER_MINUTE = 600;
/** Messages about one recipient of one email: several delays, then a failure, then a complaint. */
const MESSAGES_PER_TOKEN_AND_HOUR = 20;
const CLIENTS_MAX = 100;
/** Bytes. Some servers return the whole email (qmail, OpenSMTPD), and one refused bounce is lost. */
const MESSAGE_BYTES_MAX = EMAIL_BYTES_MAX + 1_024 * 1_024;
const SOCKET_TIMEOUT_MS = 60_000;
/** Milliseconds. Senders hold idle sessions open, and try again what was not taken. */
const CLOSE_TIMEOUT_MS = 500;

/** What the types of the library leave out. A 421 also closes the connection. */
interface SmtpConnection {
  readonly id: string;
  send(code: 421, message: string, enhancedCode: false): void;
}

/** The recipient of a report, from the signed address that it came to. */
interface Addressed {
  readonly ref: RecipientRef;
  readonly unsubscribes: boolean;
  readonly local: string;
}

/**
 * The mail exchanger of return paths. It accepts mail only for unexpired addresses that we signed,
 * so it can relay nothing. One recipient per message.
 */
@Injectable()
export class InboundSmtpListener {
  private readonly tokens: EmailTokens;
  private readonly recipients = new WeakMap<SMTPServerSession, Addressed>();
  private server: SMTPServer | null = null;

  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly settings: EmailSettings,
    private readonly bounces: BounceMessageHandler,
    private readonly hits: EmailHitsHandler,
  ) {
    this.tokens = EmailTokens.of(...platform.config.callbackSecrets);
  }

  /** Starts it, if a port is set. */
  async start(): Promise<void> {
    const { inboundSmtpPort: port, inboundSmtpHost: host } = this.settings;
    if (port === 0) return;
    const server = this.createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', ({ message }) => {
        reject(new Error(`INBOUND_SMTP_PORT ${port} cannot be opened: ${message}`));
      });
      server.listen(port, host, () => resolve());
    });
    server.removeAllListeners('error');
    server.on('error', (error) =>
      this.logger.debug({ err: error }, 'inbound SMTP connection failed'),
    );
    this.server = server;
    this.logger.info({ host, port }, 'inbound SMTP listener started');
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  private createServer(): SMTPServer {
    const sessions = new SmtpSessions();
    const server = new SMTPServer({
      banner: 'bounces only',
      // There is no log-in, and reports are no secrets: senders may connect without TLS.
      disabledCommands: ['AUTH', 'STARTTLS'],
      authOptional: true,
      disableReverseLookup: true,
      // A sender may close its side after QUIT without waiting for the answer to the content, and
      // the library writes nothing to a half-closed connection. Without PIPELINING it must wait.
      hidePIPELINING: true,
      size: MESSAGE_BYTES_MAX,
      maxClients: CLIENTS_MAX,
      socketTimeout: SOCKET_TIMEOUT_MS,
      closeTimeout: CLOSE_TIMEOUT_MS,
      onConnect: (session, done) => {
        const isOpen = sessions.open(session, clientOf(session), () => end(server, session));
        done(isOpen ? null : refusal(421, '4.7.0 Too many connections, try again later'));
      },
      onClose: (session) => sessions.close(session),
      onMailFrom: (_address, session, done) => {
        this.recipients.delete(session);
        done();
      },
      onRcptTo: ({ address }, session, done) => void answer(this.recipient(address, session), done),
      onData: (stream, session, done) => void answer(this.read(stream, session), done),
    });
    return server;
  }

  private async recipient(address: string, session: SMTPServerSession): Promise<void> {
    if (this.recipients.has(session)) throw refusal(452, '4.5.3 One recipient a message');
    const local = address.slice(0, address.lastIndexOf('@'));
    const addressed = this.addressed(local);
    if (addressed === null) {
      const ofClient = `inbound-smtp:${clientOf(session)}`;
      await this.admit(ofClient, UNKNOWN_RECIPIENTS_PER_MINUTE, MINUTE);
      throw refusal(550, '5.1.1 No such mailbox');
    }
    const { ref } = addressed;
    const ofToken = `inbound-smtp-token:${ref.emailId}:${ref.recipient}`;
    await this.admit(ofToken, MESSAGES_PER_TOKEN_AND_HOUR, HOUR);
    this.recipients.set(session, addressed);
  }

  private addressed(local: string): Addressed | null {
    const nowMs = this.clock.now();
    const returned = this.tokens.readReturnPath(local, nowMs);
    if (returned !== null) return { ref: returned, unsubscribes: false, local };
    const ref = this.tokens.readUnsubscribeMailbox(local, nowMs);
    return ref && { ref, unsubscribes: true, local };
  }

  private async admit(key: string, limit: number, windowSeconds: number): Promise<void> {
    const verdict = await this.limiter.take([{ key, limit, windowSeconds }]);
    if (!verdict.admitted) throw refusal(451, '4.7.0 Too many messages, try again later');
  }

  /** Acknowledges a message once its report is durable, and ignored messages too. */
  private async read(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (bytes < REPORT_BYTES_MAX) chunks.push(chunk);
      bytes += chunk.length;
    }
    const addressed = this.recipients.get(session);
    this.recipients.delete(session);
    if (addressed === undefined) throw refusal(503, '5.5.1 No recipient');
    if (bytes > MESSAGE_BYTES_MAX) throw refusal(552, '5.3.4 Message too large');
    const { mailFrom } = session.envelope;
    const from = mailFrom === false ? '' : mailFrom.address;
    if (addressed.unsubscribes) await this.unsubscribe(addressed, from);
    else await this.bounces.handle({ ref: addressed.ref, from, raw: Buffer.concat(chunks) });
  }

  /** A program that answers by itself writes from the empty address; a reader does not. */
  private async unsubscribe({ ref }: Addressed, from: string): Promise<void> {
    if (from === '') return;
    const { emailId: email_id, recipient } = ref;
    await this.hits.take({ kind: 'unsubscribed', email_id, recipient });
  }
}

/** Returns the address that a session counts for: IPv6 counts by /64. */
function clientOf({ remoteAddress }: SMTPServerSession): string {
  return clientIp(remoteAddress, undefined, 0);
}

function end({ connections }: SMTPServer, { id }: SMTPServerSession): void {
  for (const connection of connections as Set<SmtpConnection>) {
    if (connection.id === id) connection.send(421, '4.4.2 Session too long', false);
  }
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Every other error is temporary: the sender tries again. */
async function answer(work: Promise<void>, done: (error?: Error | null) => void): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isOurs = error instanceof Error && 'responseCode' in error;
    return done(isOurs ? error : refusal(451, '4.3.0 Try again later'));
  }
  done();
}
