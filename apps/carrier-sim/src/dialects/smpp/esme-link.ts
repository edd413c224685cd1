import type { Socket } from 'node:net';
import {
  answerTo,
  BodyFault,
  BodyReader,
  COMMAND,
  encodePdu,
  isAnswer,
  option,
  type Pdu,
  PduReader,
  TAG,
  zeroEnded,
} from './pdu.js';
import { STATUS } from './smpp-codes.js';

export interface SmppAccount {
  readonly systemId: string;
  readonly password: string;
  /** How receipts are sent: Jasmin has both (`dlr_pdu`). `deliver_sm` unless set. */
  readonly receiptPdu?: 'deliver_sm' | 'data_sm' | undefined;
}

/** A body of a `deliver_sm` or `data_sm`. */
export interface Delivery {
  readonly command: number;
  readonly body: Buffer;
}

/** The connection of one client, which may be bound to send, to receive, or to both. */
export interface LinkOwner {
  readonly account: SmppAccount;
  /** Takes a submit of a client that may send. */
  submit(link: EsmeLink, pdu: Pdu): void;
  ended(link: EsmeLink): void;
}

const SYSTEM_ID = 'CARRIERSIM';
const VERSION_3_4 = 0x34;
const ANSWER_TIMEOUT_MS = 10_000;
/** As a real SMSC ends connections that never bind. */
const BIND_TIMEOUT_MS = 30_000;
const RUBBISH = Buffer.from('<html><!-- upstream said: \u0000\u0007 not SMPP', 'latin1');

export class EsmeLink {
  canSend = false;
  canReceive = false;
  private readonly reader = new PduReader();
  private readonly unanswered = new Map<number, (status: number | null) => void>();
  private sequence = 0;
  private readonly unbound: NodeJS.Timeout;

  constructor(
    private readonly socket: Socket,
    private readonly owner: LinkOwner,
  ) {
    this.unbound = setTimeout(() => socket.destroy(), BIND_TIMEOUT_MS);
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.read(bytes));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.ended());
  }

  /** Sends a receipt or message. Returns the client’s status, or null where none comes. */
  deliver({ command, body }: Delivery): Promise<number | null> {
    this.sequence += 1;
    const { sequence } = this;
    this.write({ command, status: 0, sequence, body });
    return new Promise((resolve) => {
      const settle = (status: number | null) => {
        clearTimeout(timer);
        this.unanswered.delete(sequence);
        resolve(status);
      };
      const timer = setTimeout(() => settle(null), ANSWER_TIMEOUT_MS);
      this.unanswered.set(sequence, settle);
    });
  }

  /** A refusal has no body. */
  answer(pdu: Pdu, status: number, body: Buffer = Buffer.alloc(0)): void {
    const { sequence } = pdu;
    this.write({ command: answerTo(pdu), status, sequence, body: status === 0 ? body : NOTHING });
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  close(): void {
    this.socket.destroy();
  }

  /** Sends bytes that are no SMPP. */
  babble(): void {
    this.socket.write(RUBBISH);
  }

  private write(pdu: Pdu): void {
    if (this.socket.writable) this.socket.write(encodePdu(pdu));
  }

  private read(bytes: Buffer): void {
    const pdus = this.reader.read(bytes);
    if (pdus === null) return void this.socket.destroy();
    for (const pdu of pdus) this.take(pdu);
  }

  private take(pdu: Pdu): void {
    const { command, status, sequence } = pdu;
    if (isAnswer(pdu)) return void this.unanswered.get(sequence)?.(status);
    switch (command) {
      case COMMAND.bindReceiver:
      case COMMAND.bindTransmitter:
      case COMMAND.bindTransceiver:
        return this.bind(pdu);
      case COMMAND.submit:
        if (!this.canSend) return this.answer(pdu, STATUS.ESME_RINVBNDSTS);
        return this.owner.submit(this, pdu);
      case COMMAND.enquireLink:
        return this.answer(pdu, STATUS.ESME_ROK);
      case COMMAND.unbind:
        this.answer(pdu, STATUS.ESME_ROK);
        this.canSend = this.canReceive = false;
        this.socket.end();
        return;
      default:
        this.write({
          command: COMMAND.genericNack,
          status: STATUS.ESME_RINVCMDID,
          sequence,
          body: NOTHING,
        });
    }
  }

  private bind(pdu: Pdu): void {
    const status = this.bindStatus(pdu);
    if (status !== STATUS.ESME_ROK) return this.answer(pdu, status);
    clearTimeout(this.unbound);
    this.canSend = pdu.command !== COMMAND.bindReceiver;
    this.canReceive = pdu.command !== COMMAND.bindTransmitter;
    const version = option(TAG.interfaceVersion, Buffer.from([VERSION_3_4]));
    this.answer(pdu, status, Buffer.concat([zeroEnded(SYSTEM_ID), version]));
  }

  private bindStatus({ body }: Pdu): number {
    if (this.canSend || this.canReceive) return STATUS.ESME_RALYBND;
    try {
      const reader = new BodyReader(body);
      const [systemId, password] = [reader.text(16), reader.text(64)];
      // The type of system, the version, and the addresses of the client.
      reader.text(13);
      reader.bytes(3);
      reader.text(41);
      const { account } = this.owner;
      if (systemId !== account.systemId) return STATUS.ESME_RINVSYSID;
      return password === account.password ? STATUS.ESME_ROK : STATUS.ESME_RINVPASWD;
    } catch (error) {
      if (error instanceof BodyFault) return STATUS.ESME_RINVCMDLEN;
      throw error;
    }
  }

  private ended(): void {
    clearTimeout(this.unbound);
    this.canSend = this.canReceive = false;
    for (const settle of [...this.unanswered.values()]) settle(null);
    this.owner.ended(this);
  }
}

const NOTHING = Buffer.alloc(0);
