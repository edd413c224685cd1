import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { ACCEPT, type Receipt, type Submit } from '../outcomes/outcome.js';
import type { Scenario, ScenarioStore } from '../scenarios/scenario.store.js';
import type { MailboxStore } from './mailbox.store.js';
import type { ReportClient } from './report.client.js';

export interface SmtpSinkParts {
  readonly mailbox: MailboxStore;
  readonly scenarios: ScenarioStore;
  readonly reports: ReportClient;
  readonly defaultReceiptDelayMs: number;
}

const BYTES_MAX = 25 * 1_024 * 1_024;
const NO_SUCH_USER = '550 5.1.1 No such user here';

/** What happens to the email of a session. */
interface Transaction {
  readonly submit: Submit;
  readonly receipts: readonly Receipt[] | undefined;
}

type Done = (error?: Error | null) => void;

/**
 * A relay with a mailbox here for every recipient. It accepts mail without TLS and log-in, and
 * mails a status notification to the return path on request.
 */
export class SmtpSink {
  private readonly transactions = new WeakMap<SMTPServerSession, Transaction>();
  private readonly sockets = new Map<string, Socket>();
  private readonly server: SMTPServer;

  constructor(private readonly parts: SmtpSinkParts) {
    this.server = new SMTPServer({
      banner: 'sim.test',
      disabledCommands: ['AUTH', 'STARTTLS'],
      authOptional: true,
      disableReverseLookup: true,
      hideDSN: false,
      size: BYTES_MAX,
      onRcptTo: (address, session, done) => this.recipient(address.address, session, done),
      onData: (stream, session, done) => void this.receive(stream, session, done),
      onClose: ({ id }) => void this.sockets.delete(id),
      onConnect: (session, done) => {
        // The library's session has no access to the connection, but a reset needs the socket.
        const connection = [...this.server.connections].find(({ session: own }) => own === session);
        const socket = (connection as { _socket?: Socket } | undefined)?._socket;
        if (socket) this.sockets.set(session.id, socket);
        done();
      },
    });
    this.server.on('error', () => undefined);
  }

  async listen(host: string, port: number): Promise<number> {
    const listening = once(this.server.server, 'listening');
    const failed = once(this.server.server, 'error').then(([error]) => Promise.reject(error));
    this.server.listen(port, host);
    await Promise.race([listening, failed]);
    return (this.server.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.values()) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private recipient(to: string, session: SMTPServerSession, done: Done): void {
    const scenario = this.scenarioFor(to);
    const submit = scenario?.submit ?? ACCEPT;
    this.transactions.set(session, { submit, receipts: scenario?.receipts });
    const answer = () => {
      switch (submit.kind) {
        case 'refuse':
          return done(refusal(String(submit.code ?? NO_SUCH_USER)));
        case 'throttle':
          return done(refusal('451 4.7.1 Greylisted, try again later'));
        case 'http_status':
          return done(refusal('451 4.3.0 Local error in processing'));
        case 'reset':
          return void this.sockets.get(session.id)?.resetAndDestroy();
        case 'garbage':
          return void this.sockets.get(session.id)?.end('\u0000\u0001 what?\r\n');
        default:
          return done();
      }
    };
    setTimeout(answer, submit.delayMs ?? 0);
  }

  private scenarioFor(to: string): Scenario | undefined {
    return this.parts.scenarios.take('smtp', to.toLowerCase());
  }

  private async receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: Done,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    if (stream.sizeExceeded) return done(refusal('552 5.3.4 Message too large'));
    const { submit, receipts } = this.transactions.get(session) ?? { submit: ACCEPT };
    // A hanging server has not decided. One that resets has accepted the email.
    if (submit.kind === 'hang') return;
    this.keep(Buffer.concat(chunks), session, receipts);
    if (submit.kind === 'accept_then_lose_answer') {
      this.sockets.get(session.id)?.resetAndDestroy();
      return;
    }
    done();
  }

  private keep(
    raw: Buffer,
    { envelope }: SMTPServerSession,
    receipts: readonly Receipt[] | undefined,
  ): void {
    const { mailbox, reports, defaultReceiptDelayMs } = this.parts;
    const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
    const envelopeId = envelope.dsn?.envid ?? undefined;
    for (const { address: to, dsn } of envelope.rcptTo) {
      mailbox.add({ provider: 'smtp', from, to, raw, receivedAtMs: Date.now() });
      const usual: Receipt[] = [{ afterMs: defaultReceiptDelayMs, outcome: 'delivered' }];
      const asked = [dsn?.notify ?? []].flat().map((word) => word.toUpperCase());
      const due = receipts ?? (asked.includes('SUCCESS') ? usual : []);
      for (const receipt of due)
        reports.schedule({ returnPath: from, to, raw, envelopeId }, receipt);
    }
  }
}

function refusal(answer: string): Error {
  const [, code = '550', text = 'refused'] = /^(\d{3})[ -]?(.*)$/.exec(answer) ?? [];
  return Object.assign(new Error(text || 'refused'), { responseCode: Number(code) });
}
