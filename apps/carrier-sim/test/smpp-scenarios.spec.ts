import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PDU } from 'smpp';
import { until } from './carrier-sim.kit.js';
import { errors, RECEIPT, SmppBench, textOf, TO } from './smpp.kit.js';

let smpp: SmppBench;

beforeAll(async () => {
  smpp = await SmppBench.start();
});
beforeEach(() => smpp.bench.reset());
afterEach(() => smpp.leave());
afterAll(() => smpp.bench.close());

const statusOf = async (answer: Promise<PDU>) => (await answer).command_status;
const scenario = (submit: object, more: object = {}) =>
  smpp.bench.scenario({ provider: 'smpp', submit, ...more });

describe('scenarios', () => {
  it.each([
    [{ kind: 'refuse' }, 'ESME_RSUBMITFAIL'],
    [{ kind: 'refuse', code: 'ESME_RINVSRCADR' }, 'ESME_RINVSRCADR'],
    [{ kind: 'refuse', code: 'RMSGQFUL' }, 'ESME_RMSGQFUL'],
    [{ kind: 'refuse', code: 11 }, 'ESME_RINVDSTADR'],
    [{ kind: 'throttle' }, 'ESME_RTHROTTLED'],
    [{ kind: 'http_status' }, 'ESME_RSYSERR'],
    [{ kind: 'http_status', status: 401 }, 'ESME_RPROHIBITED'],
  ])('%j is answered with %s', async (submit, status) => {
    const client = await smpp.bound();
    await scenario(submit);
    expect(await statusOf(client.submit())).toBe(errors[status]);
    expect(await smpp.rows()).toEqual([]);
  });

  it('can refuse one part of a text', async () => {
    const client = await smpp.bound();
    await scenario({ kind: 'refuse', code: 'ESME_RSYSERR', part: 2 });
    const part = (number: number) => {
      const udh = Buffer.from([5, 0, 3, 7, 3, number]);
      return statusOf(client.submit({ short_message: { udh, message: 'part' } }));
    };
    expect([await part(1), await part(2), await part(3)]).toEqual([0, errors['ESME_RSYSERR'], 0]);
    expect(await smpp.rows()).toEqual([]);
  });

  it('hang leaves the session as it is', async () => {
    const client = await smpp.bound();
    await scenario({ kind: 'hang' }, { times: 1 });
    let isAnswered = false;
    void client.submit().then(() => (isAnswered = true));
    expect(await statusOf(client.submit())).toBe(0);
    expect(isAnswered).toBe(false);
    expect(client.closed).toBe(false);
  });

  it.each(['reset', 'accept_then_lose_answer'])('%s ends the connection', async (kind) => {
    const client = await smpp.bound();
    await scenario({ kind });
    void client.submit();
    await client.ended();
    expect(await smpp.rows()).toHaveLength(kind === 'reset' ? 0 : 1);
  });

  it('garbage is nothing that the client can read', async () => {
    const client = await smpp.bound();
    await scenario({ kind: 'garbage' });
    let said = '';
    client.session.on('error', (error: Error) => (said = error.message));
    void client.submit();
    await until(() => said);
    expect(said).toMatch(/PDU length/);
  });

  it('receipts have the states, and the codes, that are asked for', async () => {
    const client = await smpp.bound();
    const codes = [undefined, '0dc', 'EXPIRED', 'REJECTD 021'];
    for (const code of codes) {
      await scenario(
        { kind: 'accept' },
        { times: 1, receipts: [{ after_ms: 0, outcome: 'failed', code }] },
      );
      await client.submit(RECEIPT);
      await client.until(codes.indexOf(code) + 1);
    }
    const said = client.delivered.map((pdu) => /stat:\w+ err:\w+/.exec(textOf(pdu))![0]);
    expect(said).toEqual([
      ...['stat:UNDELIV err:000', 'stat:UNDELIV err:0dc'],
      ...['stat:EXPIRED err:000', 'stat:REJECTD err:021'],
    ]);
    expect(await smpp.rows()).toEqual([]);
  });

  it('a forged receipt has an id that no message has', async () => {
    const client = await smpp.bound();
    const receipts = [{ after_ms: 0, outcome: 'delivered', forged: true }];
    await scenario({ kind: 'accept' }, { receipts });
    const { message_id: id } = await client.submit(RECEIPT);
    const [receipt] = await client.until(1);
    expect(receipt!['receipted_message_id']).not.toBe(id);
  });
});

describe('deliveries', () => {
  it('come again until they are acknowledged', async () => {
    const client = await smpp.bound();
    client.answers = [errors['ESME_RX_T_APPN']!, 0];
    await client.submit(RECEIPT);
    const [first, second] = await client.until(2);
    expect(second!['receipted_message_id']).toBe(first!['receipted_message_id']);
  });

  it.each([
    ['STOP', 0],
    ['Arrêt ✋', 8],
  ])('bring what a handset sends: %s', async (body, data_coding) => {
    const client = await smpp.bound();
    const message = { provider: 'smpp', from: `+${TO}`, to: '20880', body };
    const { status, json } = await smpp.bench.control('POST', '/inbound', message);
    expect([status, json.provider]).toEqual([201, 'smpp']);
    const [pdu] = await client.until(1);
    expect(pdu).toMatchObject({
      ...{ source_addr: TO, source_addr_ton: 1, destination_addr: '20880', esm_class: 0 },
      ...{ data_coding, short_message: { message: body } },
    });
  });
});
