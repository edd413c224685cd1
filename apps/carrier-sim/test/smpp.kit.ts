/** The client of `smpp`, which shares no code with the SMSC. */
import { once } from 'node:events';
import { expect } from '@jest/globals';
import library, { type PDU, type Session } from 'smpp';
import { startCarrierSim } from '../src/index.js';
import { Bench, CallbackReceiver, until } from './carrier-sim.kit.js';

export const SMPP_ACCOUNT = { system_id: 'watchword', password: 'secret08' };
/** A submit wants no receipt unless it says so. */
export const RECEIPT = { registered_delivery: 1 };
/** Without a plus, as addresses are written. */
export const TO = '2348031234567';

type Bind = 'bind_transceiver' | 'bind_transmitter' | 'bind_receiver';

/** A client that notes what is delivered, and answers `answers` first, then 0. */
export class SmppClient {
  readonly delivered: PDU[] = [];
  answers: number[] = [];
  closed = false;

  constructor(readonly session: Session) {
    session.on('error', () => undefined);
    session.on('close', () => (this.closed = true));
    session.on('deliver_sm', (pdu: PDU) => {
      this.delivered.push(pdu);
      session.send(pdu.response({ command_status: this.answers.shift() ?? 0 }));
    });
  }

  static async open(port: number): Promise<SmppClient> {
    const client = new SmppClient(library.connect({ host: '127.0.0.1', port }));
    await once(client.session, 'connect');
    return client;
  }

  ask(command: keyof Session & string, parameters: object): Promise<PDU> {
    const call = this.session[command] as (given: object, answered: (pdu: PDU) => void) => boolean;
    return new Promise((resolve) => call.call(this.session, parameters, resolve));
  }

  submit(parameters: object = {}): Promise<PDU> {
    return this.ask('submit_sm', {
      ...{ source_addr: 'Acme', source_addr_ton: 5 },
      ...{ destination_addr: TO, dest_addr_ton: 1, dest_addr_npi: 1 },
      ...{ data_coding: 0, short_message: 'Hello' },
      ...parameters,
    });
  }

  async ended(): Promise<void> {
    await until(() => this.closed);
  }

  until(count: number): Promise<PDU[]> {
    return until(() => this.delivered.length >= count && this.delivered);
  }
}

export const errors = library.errors;

export function textOf(pdu: PDU): string {
  return (pdu['short_message'] as { message: string }).message;
}

/** A simulator with an SMSC, and its clients. */
export class SmppBench {
  private readonly clients: SmppClient[] = [];

  private constructor(
    readonly bench: Bench,
    readonly port: number,
  ) {}

  static async start(): Promise<SmppBench> {
    const { system_id: systemId, password } = SMPP_ACCOUNT;
    const accounts = { smpp: { systemId, password } };
    const simulator = await startCarrierSim({ defaultReceiptDelayMs: 20, accounts });
    const bench = new Bench(simulator, await new CallbackReceiver().listen());
    return new SmppBench(bench, simulator.smpp!.port);
  }

  async open(port = this.port): Promise<SmppClient> {
    const client = await SmppClient.open(port);
    this.clients.push(client);
    return client;
  }

  async bound(bind: Bind = 'bind_transceiver', port = this.port): Promise<SmppClient> {
    const client = await this.open(port);
    expect(await client.ask(bind, SMPP_ACCOUNT)).toMatchObject({ command_status: 0 });
    return client;
  }

  async rows() {
    return (await this.bench.control('GET', '/messages')).json;
  }

  leave(): void {
    for (const { session } of this.clients.splice(0)) session.destroy();
  }
}
