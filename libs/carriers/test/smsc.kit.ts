/** An SMSC on the library's own server side: an account whose clients are bound as transceivers. */
import type { AddressInfo, Server } from 'node:net';
import type { Clock } from '@watchword/contracts';
import library, { type PDU, type Session } from 'smpp';
import type { CarrierLogger } from '../src/carrier.js';
import { accountFrom, carrierOf } from '../src/registry.js';
import type { CarrierReport, Provider } from '../src/provider.port.js';
import type { SubmitDeadlines } from '../src/http/outcome.policy.js';
import type { ConnectedPeer } from './connection-contract.kit.js';

export const ACCOUNT = { systemId: 'watchword', password: 'secret08' };

const REPEAT_MS = 50;
const STATES = { enroute: 1, delivered: 2, failed: 5 } as const;
const WORDS = { enroute: 'ENROUTE', delivered: 'DELIVRD', failed: 'UNDELIV' } as const;

/** Returns the account's adapter. It is not started. */
export function smppProvider(
  port: number | string,
  settings: object = {},
  deadlines?: SubmitDeadlines,
  logger?: CarrierLogger,
  clock?: Clock,
): Promise<Provider> {
  const place = { host: '127.0.0.1', port: Number(port) };
  const account = accountFrom('smpp', { ...ACCOUNT, ...place, ...settings });
  const carrier = carrierOf('smpp')!;
  const context = { callbackBaseUrl: '', callbackSecret: '', deadlines, logger, clock };
  return carrier.create(account, context) as Promise<Provider>;
}

/** Bytes of the mandatory parameters of a `deliver_sm` without addresses and text. */
const DELIVER_SM_BYTES = 17;

/** Returns a PDU that ends in the middle of a parameter, so that it cannot be decoded. */
export function unreadablePdu(command: number, sequence: number, bytes = DELIVER_SM_BYTES): Buffer {
  const header = Buffer.alloc(16);
  const messageState = Buffer.from([0x04, 0x27, 0, 1]);
  header.writeUInt32BE(header.length + bytes + messageState.length, 0);
  header.writeUInt32BE(command, 4);
  header.writeUInt32BE(sequence, 12);
  return Buffer.concat([header, Buffer.alloc(bytes), messageState]);
}

export class SmscPeer implements ConnectedPeer {
  isMute = false;
  /** How many `enquire_link` came. With `isDead`, they get no answer. */
  enquiries = 0;
  isDead = false;
  /** How many `generic_nack` came. */
  nacks = 0;
  /** `command_status` of the next submits, in order. Then they are accepted. */
  statuses: number[] = [];
  bindStatus = 0;
  /** How receipts and messages are sent. */
  command: 'deliver_sm' | 'data_sm' = 'deliver_sm';
  /** Accepted and refused `submit_sm`, oldest first. */
  readonly pdus: PDU[] = [];
  readonly binds: PDU[] = [];
  readonly submits: string[][] = [];
  /** Statuses of `deliver_sm_resp`, by the id of the report or message. */
  readonly answers = new Map<string, number>();
  idOf = (count: number): string => `part-${count}`;
  private server: Server | null = null;
  private port = 0;
  /** Ids of deliveries that wait for their answers. */
  private readonly sessions = new Map<Session, Set<string>>();
  private readonly open = new Map<string, Readonly<Record<string, unknown>>>();
  private readonly repeating = setInterval(() => this.repeat(), REPEAT_MS);
  private unfinished: string[] = [];

  get address(): string {
    return String(this.port);
  }

  get unacknowledged(): readonly string[] {
    return [...this.open.keys()];
  }

  get connected(): number {
    return this.sessions.size;
  }

  async listen(): Promise<void> {
    const server = library.createServer({}, (session) => this.serve(session));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    ({ port: this.port } = server.address() as AddressInfo);
  }

  async goAway(): Promise<void> {
    const { server } = this;
    this.server = null;
    for (const session of this.sessions.keys()) session.destroy();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  async close(): Promise<void> {
    clearInterval(this.repeating);
    await this.goAway();
  }

  report(id: string, state: CarrierReport['state']): void {
    const text = `id:${id} sub:001 dlvrd:001 stat:${WORDS[state]} err:000 text:`;
    this.deliver(id, {
      esm_class: 4,
      short_message: text,
      receipted_message_id: id,
      message_state: STATES[state],
    });
  }

  /** Sends a `deliver_sm`, or a `data_sm`, until it is acknowledged. */
  deliver(id: string, parameters: Readonly<Record<string, unknown>>): void {
    this.open.set(id, { source_addr_ton: 1, source_addr: '2348031234567', ...parameters });
    this.repeat();
  }

  /** Writes bytes to each client. */
  write(bytes: Buffer): void {
    for (const session of this.sessions.keys()) {
      (session as unknown as { socket: { write(some: Buffer): void } }).socket.write(bytes);
    }
  }

  /** Sends a command and returns the answers' statuses. */
  ask(command: 'unbind' | 'enquire_link' | 'query_sm'): Promise<number[]> {
    const asked = [...this.sessions.keys()].map(
      (session) =>
        new Promise<number>((resolve) =>
          session[command]({}, ({ command_status: status }) => resolve(status)),
        ),
    );
    return Promise.all(asked);
  }

  /** Sends what is neither acknowledged nor waiting for its answer. */
  private repeat(): void {
    for (const [session, waiting] of this.sessions) {
      for (const [id, parameters] of this.open) {
        if (waiting.has(id)) continue;
        waiting.add(id);
        session[this.command]({ ...parameters }, ({ command_status: status }) => {
          waiting.delete(id);
          this.answers.set(id, status);
          if (status === 0) this.open.delete(id);
        });
      }
    }
  }

  private serve(session: Session): void {
    session.on('error', () => session.destroy());
    session.on('close', () => this.sessions.delete(session));
    session.on('enquire_link', (pdu: PDU) => {
      this.enquiries += 1;
      if (!this.isDead) session.send(pdu.response());
    });
    session.on('unbind', (pdu: PDU) => {
      session.send(pdu.response());
      session.close();
    });
    session.on('bind_transceiver', (pdu: PDU) => {
      this.binds.push(pdu);
      const isKnown = pdu['password'] === ACCOUNT.password;
      const status = isKnown ? this.bindStatus : 0x0e;
      if (status === 0) this.sessions.set(session, new Set());
      session.send(pdu.response({ command_status: status, system_id: 'smsc' }));
    });
    session.on('submit_sm', (pdu: PDU) => this.submit(session, pdu));
    session.on('generic_nack', () => (this.nacks += 1));
  }

  private submit(session: Session, pdu: PDU): void {
    this.pdus.push(pdu);
    const status = this.statuses.shift() ?? 0;
    const id = this.idOf(this.pdus.length);
    if (status === 0) this.collect(pdu, id);
    if (!this.isMute) session.send(pdu.response({ command_status: status, message_id: id }));
  }

  /** Collects the ids of a text in its parts. */
  private collect(pdu: PDU, id: string): void {
    this.unfinished.push(id);
    const { udh } = pdu['short_message'] as { udh?: Buffer[] };
    const total = udh?.[0]?.[3] ?? 1;
    if (this.unfinished.length < total) return;
    this.submits.push(this.unfinished);
    this.unfinished = [];
  }
}
