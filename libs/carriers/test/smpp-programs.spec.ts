/** What SMSCs send that exist: their bytes, with the addresses replaced. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { SAMPLE } from '../src/provider-contract.kit.js';
import type { CarrierInbound, CarrierReport, Provider } from '../src/provider.port.js';
import { smppProvider, SmscPeer } from './smsc.kit.js';

const HANDSET = '2348031234567';
const RECEIPT = 0x04;
const TEXT = 'id:0001234501 sub:001 dlvrd:001 submit date:2611201200 done date:2611201200 ';

let peer: SmscPeer;
let provider: Provider;
let reports: CarrierReport[];
let inbound: CarrierInbound[];

beforeEach(async () => {
  peer = new SmscPeer();
  await peer.listen();
  [reports, inbound] = [[], []];
});
afterEach(async () => {
  await provider.stop();
  await peer.close();
});

async function started(settings: Record<string, string> = {}) {
  provider = await smppProvider(peer.address, settings);
  await provider.start(
    async (some) => void reports.push(...some),
    async (some) => void inbound.push(...some),
  );
}

async function deliver(parameters: Readonly<Record<string, unknown>>) {
  peer.deliver('one', parameters);
  await eventually(() => expect(peer.unacknowledged).toEqual([]));
}

const nul = (text: string) => Buffer.from(`${text}\0`, 'latin1');

/** A `deliver_sm` of these parts behind its addresses, byte by byte. */
function frame(esmClass: number, coding: number, text: Buffer, options: Buffer): Buffer {
  const addresses = [Buffer.from([0, 1, 1]), nul(HANDSET), Buffer.from([3, 0]), nul('20880')];
  const flags = Buffer.from([esmClass, 0, 0, 0, 0, 0, 0, coding, 0, text.length]);
  const body = Buffer.concat([...addresses, flags, text, options]);
  const header = Buffer.alloc(16);
  header.writeUInt32BE(header.length + body.length, 0);
  header.writeUInt32BE(0x05, 4);
  header.writeUInt32BE(9, 12);
  return Buffer.concat([header, body]);
}

function option(tag: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value]);
}

describe('receipts', () => {
  it('of Jasmin 0.11.0 with dlr_pdu=data_sm are read and answered with data_sm_resp', async () => {
    peer.command = 'data_sm';
    await started();
    const parameters = { receipted_message_id: '7f01-a', message_state: 2, esm_class: RECEIPT };
    await deliver(parameters);
    expect(peer.answers.get('one')).toBe(0);
    expect(peer.nacks).toBe(0);
    expect(reports).toMatchObject([
      { providerMessageId: '7f01-a'.toUpperCase(), state: 'delivered' },
    ]);
  });

  it('in the payload of a data_sm are read', async () => {
    peer.command = 'data_sm';
    await started();
    await deliver({
      esm_class: RECEIPT,
      message_payload: Buffer.from(`${TEXT}stat:DELIVRD err:000`),
    });
    expect(reports).toMatchObject([{ providerMessageId: '1234501', state: 'delivered' }]);
  });

  it.each([
    ['state behind it', (id: Buffer) => [option(0x1e, id), option(0x427, Buffer.from([2]))]],
    [
      'unknown and empty parameters around it',
      (id: Buffer) => [
        option(0x1401, Buffer.alloc(0)),
        option(0x1e, id),
        option(0x1402, Buffer.from('operator')),
        option(0x427, Buffer.from([2])),
        option(0x423, Buffer.alloc(0)),
      ],
    ],
  ])('of ch-smpp 5.0.9 and go-smpp end an id without NUL by its length: %s', async (_title, of) => {
    await started();
    const text = Buffer.from('stat:UNDELIV', 'latin1');
    peer.write(frame(RECEIPT, 0, text, Buffer.concat(of(Buffer.from('8c2f77')))));
    await eventually(() => expect(reports).toHaveLength(1));
    expect(reports).toMatchObject([{ providerMessageId: '8C2F77', state: 'delivered' }]);
  });

  it.each([
    ['ASCII behind data_coding 8', 8, Buffer.from(`${TEXT}stat:DELIVRD err:000 text:`)],
    [
      'ASCII and then UCS-2',
      8,
      Buffer.concat([Buffer.from(`${TEXT}stat:DELIVRD err:000 text:`), Buffer.from([0x4f, 0x60])]),
    ],
    ['UCS-2', 8, Buffer.from(`${TEXT}stat:DELIVRD err:000`, 'utf16le').swap16()],
    ['ASCII behind data_coding 4', 4, Buffer.from(`${TEXT}stat:DELIVRD err:000`)],
    ['ASCII behind data_coding 0xF1', 0xf1, Buffer.from(`${TEXT}stat:DELIVRD err:000`)],
    ['a NUL at the end', 0, nul(`${TEXT}err:000 stat:DELIVRD`)],
  ])('of a UCS-2 text are read (Kannel 1.4.5, jsmpp 3.0.2): %s', async (_title, coding, text) => {
    peer.idOf = () => '1234501';
    await started();
    const outcome = await provider.submit(SAMPLE);
    peer.write(frame(RECEIPT, coding, text, Buffer.alloc(0)));
    await eventually(() => expect(reports).toHaveLength(1));
    const providerMessageId = reports[0]!.providerMessageId;
    expect(outcome).toMatchObject({ outcome: 'accepted', providerMessageId });
    expect(reports[0]).toMatchObject({ state: 'delivered' });
  });
});

describe('messages of handsets', () => {
  const ucs2 = (text: string) => Buffer.from(text, 'utf16le').swap16();
  it.each([
    [0x19, ucs2('STOP'), 'STOP'],
    [0x18, ucs2('Arrêt'), 'Arrêt'],
    [0x48, ucs2('STOP'), 'STOP'],
    [0xe0, ucs2('STOP'), 'STOP'],
    [0x10, Buffer.from('STOP'), 'STOP'],
    [0x11, Buffer.from([0x00, 0x53]), '@S'],
    [0xc8, Buffer.from('STOP'), 'STOP'],
    [0xf1, Buffer.from('STOP'), 'STOP'],
    [0x01, Buffer.from('S_P'), 'S_P'],
    [0x06, Buffer.from([0xc1, 0xc2]), 'СТ'],
  ])('with data_coding %i are read', async (coding, text, body) => {
    await started();
    peer.write(frame(0, coding, text, Buffer.alloc(0)));
    await eventually(() => expect(inbound).toHaveLength(1));
    expect(inbound).toMatchObject([{ from: `+${HANDSET}`, body }]);
  });

  it.each([0x02, 0x04, 0x15, 0xf5, 0x28])('with data_coding %i are data', async (coding) => {
    await started();
    await deliver({
      source_addr: HANDSET,
      data_coding: coding,
      short_message: Buffer.from('STOP'),
    });
    expect(inbound).toEqual([]);
  });

  it('as data_sm are passed on', async () => {
    peer.command = 'data_sm';
    await started();
    await deliver({ data_coding: 0, message_payload: Buffer.from('STOP') });
    expect(inbound).toMatchObject([{ body: 'STOP' }]);
  });
});

describe('the default alphabet of an account', () => {
  const BODY = 'Your code is 123456\n\n@example.com #123456';
  const bytesOf = async (defaultAlphabet: string, body: string) => {
    await started({ defaultAlphabet });
    await provider.submit({ ...SAMPLE, body });
    return peer.pdus.map(({ data_coding: coding, short_message: short }) => {
      const { message } = short as { message: Buffer | string };
      return [coding, Buffer.from(message as string, 'latin1').toString('latin1')];
    });
  };

  it.each(['gsm', 'ascii', 'latin1'])('%s keeps the line of an OTP', async (alphabet) => {
    const [[coding, text] = []] = await bytesOf(alphabet, BODY);
    expect(coding).toBe(0);
    // The peer's library decodes GSM-7, where the byte of an at sign in ASCII is an inverted mark.
    expect(text).toBe(alphabet === 'gsm' ? BODY : BODY.replace('@', '¡'));
  });

  it.each([
    ['ascii', 'Café', 8],
    ['ascii', 'Cost: £5', 8],
    ['latin1', 'Café', 0],
    ['latin1', '€5', 8],
    ['gsm', '€5', 0],
  ])('%s sends "%s" with data_coding %i', async (alphabet, body, coding) => {
    const [[given] = []] = await bytesOf(alphabet, body);
    expect(given).toBe(coding);
  });

  it('ascii counts what the SMSC writes with an escape as two septets', async () => {
    const parts = await bytesOf('ascii', `${'A'.repeat(152)}{${'B'.repeat(10)}`);
    expect(parts.map(([, text]) => String(text).length)).toEqual([152, 11]);
  });
});
