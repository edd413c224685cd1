import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import library, { type PDU } from 'smpp';
import type { CarrierLogger } from '../carrier.js';
import { type Delivery, DELIVERY_COMMANDS, type DeliveryCommand } from './delivery.js';
import type { SubmitParameters } from './message-parts.js';
import { PduStream } from './pdu-stream.js';
import { isBindLost, STATUS } from './status-map.js';
import { SubmitWindow } from './submit-window.js';

export interface SessionSettings {
  readonly host: string;
  readonly port: number;
  /** Null for a connection without TLS. */
  readonly tls: ConnectionOptions | null;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** Most unanswered submits. */
  readonly windowMax: number;
}

/** An answer, or how far the PDU came: only one that was written can have reached the SMSC. */
export type PduResult =
  | { readonly kind: 'answered'; readonly status: number; readonly messageId: string }
  | { readonly kind: 'unsent'; readonly code: string }
  | { readonly kind: 'unanswered'; readonly code: string };

/** Why there is no session. `status`: what the SMSC said to the bind. */
export interface BindFailure {
  readonly code: string;
  readonly status: number | null;
}

export interface SessionListener {
  /** Takes a receipt or a message. Returns the status to answer with. */
  deliver(delivery: Delivery): Promise<number>;
  ended(code: string): void;
  warn: CarrierLogger['warn'];
}

const VERSION_3_4 = 0x34;
const BIND_TIMEOUT_MS = 10_000;
const ENQUIRE_EVERY_MS = 30_000;
const ENQUIRE_TIMEOUT_MS = 10_000;
const UNBIND_TIMEOUT_MS = 500;
const SEQUENCE_MAX = 0x7fffffff;
/** Receipts that may wait for the database. Further ones are refused, and come again. */
const DELIVERIES_MAX = 1_000;
/** Bit of `command_id` that every answer has. */
const ANSWER = 0x80000000;
/** Code of a submit that got no place in the window before its deadline. */
export const WINDOW_FULL = 'WINDOW_FULL';

/**
 * One connection that is bound as transceiver, from its bind to its end. It bounds unanswered
 * submits and the time of each answer, and checks an idle SMSC with `enquire_link`.
 *
 * States: connecting, bound, ended. A submit that is written when the session ends is unanswered.
 * One that still waits for its place in the window is unsent.
 */
export class SmppSession {
  private readonly stream: PduStream;
  private readonly window: SubmitWindow;
  private readonly unanswered = new Map<number, (result: PduResult) => void>();
  private sequence = 0;
  private deliveries = 0;
  private isEnded = false;
  private enquiring: NodeJS.Timeout | undefined;

  private constructor(
    socket: Socket,
    windowMax: number,
    private readonly listener: SessionListener,
  ) {
    this.window = new SubmitWindow(windowMax);
    this.stream = new PduStream(socket, {
      take: (pdu) => this.take(pdu),
      takeDelivery: (delivery) => void this.deliver(delivery),
      takeUnreadable: (command, sequence) => this.takeUnreadable(command, sequence),
      ended: (code) => this.ended(code),
    });
  }

  static async open(
    settings: SessionSettings,
    listener: SessionListener,
    signal: AbortSignal,
  ): Promise<SmppSession | BindFailure> {
    const socket = await connected(settings, signal);
    if ('code' in socket) return socket;
    const session = new SmppSession(socket, settings.windowMax, listener);
    const abort = () => session.end('STOPPED');
    signal.addEventListener('abort', abort, { once: true });
    const answer = await session.bind(settings);
    signal.removeEventListener('abort', abort);
    if (answer.kind !== 'answered' || session.isEnded) {
      const code = answer.kind === 'answered' ? 'CONNECTION_LOST' : answer.code;
      session.end(code);
      return { code, status: null };
    }
    if (answer.status !== STATUS.ok) {
      session.end('BIND_REFUSED');
      return { code: 'BIND_REFUSED', status: answer.status };
    }
    session.watch();
    return session;
  }

  /** Work of which the SMSC waits for the end, or we for the SMSC’s. */
  get isBusy(): boolean {
    return this.unanswered.size > 0 || this.deliveries > 0;
  }

  /** Submits one PDU. It is given up at the deadline, in the window or unanswered. */
  async submit(parameters: SubmitParameters, deadlineMs: number): Promise<PduResult> {
    const untilMs = performance.now() + deadlineMs;
    if (!(await this.window.enter(deadlineMs))) {
      return { kind: 'unsent', code: this.isEnded ? 'CONNECTION_LOST' : WINDOW_FULL };
    }
    const leftMs = Math.max(1, untilMs - performance.now());
    let status: number | null = null;
    try {
      const result = await this.request('submit_sm', parameters, leftMs);
      if (result.kind === 'answered') ({ status } = result);
      return result;
    } finally {
      this.window.leave(status);
      if (status !== null && isBindLost(status)) this.end('BIND_LOST');
    }
  }

  /** Unbinds, then ends the session. It waits briefly for the SMSC’s answer. */
  async unbind(): Promise<void> {
    clearInterval(this.enquiring);
    await this.request('unbind', {}, UNBIND_TIMEOUT_MS);
    this.end('STOPPED');
  }

  end(code: string): void {
    this.stream.end(code);
  }

  private bind({ systemId, password, systemType }: SessionSettings): Promise<PduResult> {
    return this.request(
      'bind_transceiver',
      {
        system_id: systemId,
        password,
        system_type: systemType,
        interface_version: VERSION_3_4,
      },
      BIND_TIMEOUT_MS,
    );
  }

  private watch(): void {
    const enquire = async () => {
      const { kind } = await this.request('enquire_link', {}, ENQUIRE_TIMEOUT_MS);
      if (kind !== 'answered') this.end('ENQUIRE_LINK');
    };
    this.enquiring = setInterval(() => void enquire(), ENQUIRE_EVERY_MS);
  }

  private request(
    command: string,
    parameters: SubmitParameters,
    deadlineMs: number,
  ): Promise<PduResult> {
    const pdu = new library.PDU(command, parameters);
    this.sequence = this.sequence === SEQUENCE_MAX ? 1 : this.sequence + 1;
    pdu.sequence_number = this.sequence;
    if (!this.stream.write(pdu)) {
      return Promise.resolve({ kind: 'unsent', code: 'CONNECTION_LOST' });
    }
    return new Promise((resolve) => {
      const settle = (result: PduResult) => {
        clearTimeout(timer);
        this.unanswered.delete(pdu.sequence_number);
        resolve(result);
      };
      const timer = setTimeout(() => settle({ kind: 'unanswered', code: 'DEADLINE' }), deadlineMs);
      this.unanswered.set(pdu.sequence_number, settle);
    });
  }

  private take(pdu: PDU): void {
    if (pdu.isResponse()) {
      const { message_id: id, command_status: status } = pdu;
      const messageId = typeof id === 'string' ? id : '';
      this.unanswered.get(pdu.sequence_number)?.({ kind: 'answered', status, messageId });
      return;
    }
    switch (pdu.command) {
      case 'enquire_link':
        this.stream.write(pdu.response());
        return;
      case 'unbind':
        this.stream.write(pdu.response());
        this.end('UNBOUND');
        return;
      default:
        this.nack(pdu.sequence_number, STATUS.invalidCommand);
    }
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const { command, sequence } = delivery;
    if (this.deliveries >= DELIVERIES_MAX) {
      return this.answer(command, sequence, STATUS.temporarilyUnable);
    }
    this.deliveries += 1;
    const status = await this.listener.deliver(delivery);
    this.deliveries -= 1;
    this.answer(command, sequence, status);
  }

  /** A `deliver_sm` is refused for good, since the SMSC would send it again and again. */
  private takeUnreadable(commandId: number, sequence: number): void {
    if (commandId >= ANSWER) {
      this.unanswered.get(sequence)?.({ kind: 'unanswered', code: 'UNREADABLE' });
      return;
    }
    const command = DELIVERY_COMMANDS.get(commandId);
    if (!command) return this.nack(sequence, STATUS.invalidCommand);
    this.listener.warn({}, `${command} cannot be decoded, a receipt or message is lost`);
    this.answer(command, sequence, STATUS.refusedForGood);
  }

  private answer(command: DeliveryCommand, sequence: number, status: number): void {
    const answer = new library.PDU(`${command}_resp`, { command_status: status });
    answer.sequence_number = sequence;
    this.stream.write(answer);
  }

  private nack(sequence: number, status: number): void {
    const nack = new library.PDU('generic_nack', { command_status: status });
    nack.sequence_number = sequence;
    this.stream.write(nack);
  }

  private ended(code: string): void {
    this.isEnded = true;
    clearInterval(this.enquiring);
    this.window.close();
    for (const settle of [...this.unanswered.values()]) settle({ kind: 'unanswered', code });
    this.listener.ended(code);
  }
}

/** Resolves once the connection stands, with TLS where it is wanted. */
function connected(
  { host, port, tls }: SessionSettings,
  signal: AbortSignal,
): Promise<Socket | BindFailure> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ code: 'STOPPED', status: null });
    const name = isIP(host) === 0 ? { servername: host } : {};
    const ready = tls ? 'secureConnect' : 'connect';
    const socket: Socket = tls
      ? connectTls({ host, port, ...name, ...tls })
      : connectTcp({ host, port });
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.off(ready, succeed).off('error', failed).off('close', lost);
    };
    const succeed = () => {
      stop();
      resolve(socket);
    };
    const fail = (code: string) => {
      stop();
      socket.on('error', () => undefined).destroy();
      resolve({ code, status: null });
    };
    const failed = (error: NodeJS.ErrnoException) => fail(error.code ?? error.name);
    const lost = () => fail('CONNECTION_LOST');
    const abort = () => fail('STOPPED');
    const timer = setTimeout(() => fail('DEADLINE'), BIND_TIMEOUT_MS);
    signal.addEventListener('abort', abort, { once: true });
    socket.setNoDelay(true);
    socket.once(ready, succeed).once('error', failed).once('close', lost);
  });
}
