import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, FakeClock } from '@watchword/testing';
import { SAMPLE } from '../src/provider-contract.kit.js';
import type { CarrierInbound, CarrierReport, Provider } from '../src/provider.port.js';
import { smppProvider, SmscPeer } from './smsc.kit.js';

let peer: SmscPeer;
let provider: Provider;
let reports: CarrierReport[];
let inbound: CarrierInbound[];
let clock: FakeClock;
/** Messages of the log, with their fields. */
let log: [string, object][];

beforeEach(async () => {
  peer = new SmscPeer();
  await peer.listen();
  [reports, inbound, log] = [[], [], []];
  clock = new FakeClock(Date.now());
  provider = await smppProvider(peer.address);
});
afterEach(async () => {
  await provider.stop();
  await peer.close();
});

async function started(settings: object = {}) {
  const warn = (fields: object, message: string) => void log.push([message, fields]);
  provider = await smppProvider(peer.address, settings, undefined, { warn }, clock);
  await provider.start(
    async (some) => void reports.push(...some),
    async (some) => void inbound.push(...some),
  );
}

describe('receipts', () => {
  const receive = async (parameters: object) => {
    peer.deliver('receipt', { esm_class: 4, ...parameters });
    await eventually(() => expect(peer.unacknowledged).toEqual([]));
    return reports[0];
  };
  const text = (stat: string, err = '000', id = '0a1b') =>
    `id:${id} sub:001 dlvrd:000 submit date:2611201200 done date:261120120001 stat:${stat} err:${err} Text:`;

  it.each([
    ['DELIVRD', '000', 'delivered', null, 'DELIVRD'],
    ['ENROUTE', '000', 'enroute', null, 'ENROUTE'],
    ['ACCEPTD', '', 'enroute', null, 'ACCEPTD'],
    ['WHATEVR', '001', 'enroute', 'unknown_error', 'WHATEVR'],
    ['EXPIRED', '0dc', 'failed', 'expired', 'EXPIRED 0dc'],
    ['DELETED', '000', 'failed', 'carrier_rejected', 'DELETED'],
    ['REJECTD', '000', 'failed', 'carrier_rejected', 'REJECTD'],
    ['REJECTD', '777', 'failed', 'carrier_rejected', 'REJECTD 777'],
    ['UNDELIV', '000', 'failed', 'network_error', 'UNDELIV'],
    ['UNDELIV', '0DC', 'failed', 'absent_subscriber', 'UNDELIV 0DC'],
    ['UNDELIV', '777', 'failed', 'unknown_error', 'UNDELIV 777'],
    ['UNKNOWN', '000', 'failed', 'unknown_error', 'UNKNOWN'],
    ['DELIVERED', '000', 'delivered', null, 'DELIVERED'],
    ['FAILED', '', 'failed', 'network_error', 'FAILED'],
    ['UNDELIVERABLE', '777', 'failed', 'unknown_error', 'UNDELIVERABLE 777'],
    ['REJECTED', '', 'failed', 'carrier_rejected', 'REJECTED'],
    ['ACCEPTED', '', 'enroute', null, 'ACCEPTED'],
  ])('of %s with err %s', async (stat, err, state, reason, rawCode) => {
    await started({ errorReasons: { dc: 'absent_subscriber' } });
    await expect(receive({ short_message: text(stat, err) })).resolves.toEqual({
      ...{ messageId: null, attempt: null, rawMessage: null, network: null },
      ...{ providerMessageId: 'A1B', part: { id: 'A1B', count: null } },
      ...{ destination: '+2348031234567', state, reason, rawCode },
    });
  });

  it.each([
    ['without fields', 'id:7 stat:UNDELIV', '7'],
    ['in one line with others', 'ID:a_b@1 SUB:1 STAT:undeliv ERR:000', 'a_b@1'],
  ])('in other spellings: %s', async (_title, short_message, id) => {
    await started();
    const report = await receive({ short_message: Buffer.from(short_message), data_coding: 0 });
    expect(report).toMatchObject({ providerMessageId: id, state: 'failed' });
  });

  it('are read from parameters before the text', async () => {
    await started();
    const parameters = { receipted_message_id: 'tlv', message_state: 8 };
    await expect(
      receive({ esm_class: 0, short_message: text('DELIVRD'), ...parameters }),
    ).resolves.toMatchObject({ providerMessageId: 'tlv', rawCode: 'REJECTD' });
  });

  it('of the network’s code, where the text has none', async () => {
    await started({ errorReasons: { 27: 'absent_subscriber' } });
    const network_error_code = Buffer.from([3, 0, 27]);
    const receipt = { receipted_message_id: 'x', message_state: 5, network_error_code };
    await expect(receive(receipt)).resolves.toMatchObject({ reason: 'absent_subscriber' });
  });

  it('without an id are acknowledged, logged, and no message of a handset', async () => {
    await started();
    await expect(receive({ short_message: 'stat:DELIVRD' })).resolves.toBeUndefined();
    expect(log).toEqual([['receipt without an id or state, ignored', { provider: 'smpp' }]]);
    expect(inbound).toEqual([]);
  });

  it('are not final while the SMSC only notifies', async () => {
    await started();
    const report = await receive({ esm_class: 0x20, short_message: text('DELIVRD') });
    expect(report).toMatchObject({ state: 'enroute' });
  });

  it.each([
    ['hex-decimal', '00FF', '0000000255', '255'],
    ['decimal-hex', '255', 'ff', '255'],
    ['same', '00ff', 'FF', 'FF'],
    ['same', '1234501', '0001234501', '1234501'],
    ['same', '0000', '00', '0'],
    ['same', 'DB3CE55A-7f1d', 'db3ce55a-7F1D', 'DB3CE55A-7F1D'],
    ['same', 'Part-1', 'Part-1', 'Part-1'],
    ['hex-decimal', 'uuid-1', 'uuid-1', 'uuid-1'],
  ])(
    'with ids %s are about the id of the answer',
    async (messageIds, answered, reported, common) => {
      peer.idOf = () => answered;
      await started({ messageIds });
      await expect(provider.submit(SAMPLE)).resolves.toEqual({
        outcome: 'accepted',
        providerMessageId: common,
      });
      const report = await receive({ short_message: text('DELIVRD', '000', reported) });
      expect(report).toMatchObject({ providerMessageId: common });
    },
  );
});

describe('messages of handsets', () => {
  const MESSAGE = { source_addr: '2348031234567', source_addr_ton: 1, destination_addr: '20880' };
  const receive = async (parameters: object) => {
    peer.deliver('message', { ...MESSAGE, ...parameters });
    await eventually(() => expect(peer.unacknowledged).toEqual([]));
    return inbound;
  };

  it.each([
    ['GSM-7', { data_coding: 0, short_message: 'STOP €' }, 'STOP €'],
    ['UCS-2', { data_coding: 8, short_message: 'Arrêt ✋' }, 'Arrêt ✋'],
    ['Latin-1', { data_coding: 3, short_message: 'Arrêt' }, 'Arrêt'],
    ['the payload', { data_coding: 0, message_payload: 'STOP' }, 'STOP'],
  ])('are passed on: %s', async (_title, parameters, body) => {
    await started();
    await expect(receive(parameters)).resolves.toEqual([
      { from: '+2348031234567', to: '20880', body, providerMessageId: null },
    ]);
  });

  it.each([
    [
      'a part of a text',
      { short_message: { udh: Buffer.from([5, 0, 3, 1, 2, 1]), message: 'STOP' } },
    ],
    ['a part by its parameters', { sar_total_segments: 2, short_message: 'STOP' }],
    [
      'a message for a port',
      { short_message: { udh: Buffer.from([6, 5, 4, 0x0b, 0x84, 0, 0]), message: 'STOP' } },
    ],
    ['data', { data_coding: 4, short_message: Buffer.from('STOP') }],
    [
      'a sender without a number',
      { source_addr: 'Bank', source_addr_ton: 5, short_message: 'STOP' },
    ],
    ['a short code', { source_addr: '20880', source_addr_ton: 3, short_message: 'STOP' }],
  ])('are acknowledged and not passed on: %s', async (_title, parameters) => {
    await started();
    await expect(receive(parameters)).resolves.toEqual([]);
    expect(log).toEqual([]);
  });

  it.each([
    ['national', '8031234567', 2],
    ['national, as long as an international one', '80312345678', 2],
    ['of the network', '80312345678', 3],
    ['of a subscriber', '80312345678', 4],
    ['national, without a type', '08031234567', 0],
    ['national of ten digits, without a type', '8031234567', 0],
    ['in no numbering plan, without a type', '99931234567', 0],
  ])('from a number that is %s are of no handset, and logged', async (_title, number, ton) => {
    await started();
    await receive({ source_addr: number, source_addr_ton: ton, short_message: 'STOP' });
    expect(inbound).toEqual([]);
    const text = 'message of a handset without an international number, ignored';
    expect(log).toEqual([[text, { provider: 'smpp', sourceTon: ton }]]);
  });

  it.each([
    ['2348031234567', 0],
    ['+2348031234567', 2],
  ])('from %s of type %s are of a handset', async (number, ton) => {
    await started();
    await receive({ source_addr: number, source_addr_ton: ton, short_message: 'STOP' });
    expect(inbound).toMatchObject([{ from: '+2348031234567' }]);
  });

  it.each([
    ['a header', { short_message: { udh: Buffer.from([5, 0, 3, 7, 1, 1]), message: 'STOP' } }],
    [
      'a header with a long reference',
      { short_message: { udh: Buffer.from([6, 8, 4, 1, 7, 1, 1]), message: 'STOP' } },
    ],
    ['parameters', { sar_total_segments: 1, short_message: 'STOP' }],
  ])('of one part by %s are passed on', async (_title, parameters) => {
    await started();
    await receive({ data_coding: 0, ...parameters });
    expect(inbound).toMatchObject([{ body: 'STOP' }]);
  });

  it('are not acknowledged where no sink takes them', async () => {
    await provider.start(async () => {});
    peer.deliver('message', { ...MESSAGE, short_message: 'STOP' });
    await eventually(() => expect(peer.answers.get('message')).toBe(0x64));
  });
});
