import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PDU } from 'smpp';
import { errors, RECEIPT, SMPP_ACCOUNT, SmppBench, textOf, TO } from './smpp.kit.js';

let smpp: SmppBench;

beforeAll(async () => {
  smpp = await SmppBench.start();
});
beforeEach(() => smpp.bench.reset());
afterEach(() => smpp.leave());
afterAll(() => smpp.bench.close());

const statusOf = async (answer: Promise<PDU>) => (await answer).command_status;

describe('a bind', () => {
  it('the answer to a bind names the SMSC and its version', async () => {
    const client = await smpp.open();
    const answer = await client.ask('bind_transceiver', {
      ...SMPP_ACCOUNT,
      interface_version: 0x34,
    });
    expect(answer).toMatchObject({ command_status: 0, system_id: 'CARRIERSIM' });
    expect(answer['sc_interface_version']).toBe(0x34);
  });

  it.each([
    [{ ...SMPP_ACCOUNT, system_id: 'other' }, 'ESME_RINVSYSID'],
    [{ ...SMPP_ACCOUNT, password: 'wrong' }, 'ESME_RINVPASWD'],
  ])('a bind with %j is refused', async (parameters, status) => {
    const client = await smpp.open();
    expect(await statusOf(client.ask('bind_transceiver', parameters))).toBe(errors[status]);
    expect(await statusOf(client.submit())).toBe(errors['ESME_RINVBNDSTS']);
  });

  it('a second bind of a session is refused', async () => {
    const client = await smpp.bound();
    expect(await statusOf(client.ask('bind_receiver', SMPP_ACCOUNT))).toBe(errors['ESME_RALYBND']);
  });

  it('a bind decides whether a client sends or receives', async () => {
    const [sender, receiver] = [
      await smpp.bound('bind_transmitter'),
      await smpp.bound('bind_receiver'),
    ];
    expect(await statusOf(receiver.submit())).toBe(errors['ESME_RINVBNDSTS']);
    expect(await statusOf(sender.submit(RECEIPT))).toBe(0);
    await receiver.until(1);
    expect(sender.delivered).toEqual([]);
  });
});

describe('a submit', () => {
  it('a submit is on the handset, and reported with the id of its answer', async () => {
    const client = await smpp.bound();
    const { message_id: id } = await client.submit({ ...RECEIPT, short_message: 'Code € [1] é' });
    expect(await smpp.rows()).toMatchObject([
      {
        ...{ provider: 'smpp', to: `+${TO}`, from: 'Acme', body: 'Code € [1] é' },
        ...{ encoding: 'GSM-7', segments: 1, reference: id },
      },
    ]);
    const [receipt] = await client.until(1);
    expect(receipt).toMatchObject({
      ...{ esm_class: 4, source_addr: TO, source_addr_ton: 1, destination_addr: 'Acme' },
      ...{ receipted_message_id: id, message_state: 2 },
    });
    expect(textOf(receipt!)).toMatch(
      new RegExp(
        `^id:${id as string} sub:001 dlvrd:001 submit date:\\d{10} done date:\\d{10} ` +
          'stat:DELIVRD err:000 text:Code',
      ),
    );
  });

  it('a submit has a receipt only on request', async () => {
    const client = await smpp.bound();
    await client.submit();
    await client.submit(RECEIPT);
    await client.until(1);
    await smpp.bench.settled();
    expect(client.delivered).toHaveLength(1);
  });

  it('a submit of unpacked septets has its text', async () => {
    const client = await smpp.bound();
    const short_message = Buffer.from('436f6465201b65201b3c311b3e2005', 'hex');
    await client.submit({ short_message });
    expect((await smpp.rows())[0].body).toBe('Code € [1] é');
  });

  it('parts in any order are one message', async () => {
    const client = await smpp.bound();
    const part = (total: number, number: number, message: string, reference = 7) =>
      client.submit({
        ...RECEIPT,
        data_coding: 8,
        short_message: { udh: Buffer.from([5, 0, 3, reference, total, number]), message },
      });
    await part(3, 2, 'Ẹ kú ');
    await part(2, 1, 'another', 8);
    await part(3, 3, '😀');
    expect(await smpp.rows()).toEqual([]);
    await part(3, 1, '日本');
    expect(await smpp.rows()).toMatchObject([
      { body: '日本Ẹ kú 😀', segments: 3, encoding: 'UCS-2' },
    ]);
    await client.until(3);
    const ids = client.delivered.map((pdu) => pdu['receipted_message_id']);
    expect(new Set(ids).size).toBe(3);
  });

  it('a long text has 16-bit references, sar_* parameters, or a payload', async () => {
    const client = await smpp.bound();
    for (const number of [1, 2]) {
      const udh = Buffer.from([6, 8, 4, 1, 0, 2, number]);
      await client.submit({ short_message: { udh, message: `a${number}` } });
    }
    for (const number of [1, 2]) {
      const sar = { sar_msg_ref_num: 256, sar_total_segments: 2, sar_segment_seqnum: number };
      await client.submit({ short_message: `b${number}`, ...sar });
    }
    await client.submit({ short_message: '', message_payload: 'c'.repeat(400) });
    const bodies = (await smpp.rows()).map(({ body }: { body: string }) => body);
    expect(bodies).toEqual(['a1a2', 'b1b2', 'c'.repeat(400)]);
  });

  it.each([
    [{ destination_addr: '12' }, 'ESME_RINVDSTADR'],
    [{ destination_addr: `+${TO}` }, 'ESME_RINVDSTADR'],
    [{ dest_addr_ton: 9 }, 'ESME_RINVDSTTON'],
    [{ source_addr: 'A name too long' }, 'ESME_RINVSRCADR'],
    [{ source_addr_ton: 1 }, 'ESME_RINVSRCADR'],
    [{ validity_period: '26112012' }, 0],
    [{ validity_period: 'next Thursday' }, 'ESME_RINVEXPIRY'],
    [{ data_coding: 4, short_message: Buffer.from('x') }, 'ESME_RINVDCS'],
    [{ data_coding: 8, short_message: Buffer.from('odd') }, 'ESME_RINVMSGLEN'],
    [{ short_message: 'A'.repeat(161) }, 'ESME_RINVMSGLEN'],
    [{ short_message: '' }, 'ESME_RINVMSGLEN'],
    [
      { short_message: { udh: Buffer.from([5, 0, 3, 1, 2, 3]), message: 'x' } },
      'ESME_RINVESMCLASS',
    ],
    [
      { short_message: { udh: Buffer.from([5, 0, 3, 1, 2, 1]), message: 'A'.repeat(154) } },
      'ESME_RINVMSGLEN',
    ],
  ])('a submit with %j is answered with %s', async (parameters, status) => {
    const client = await smpp.bound();
    expect(await statusOf(client.submit(parameters))).toBe(status === 0 ? 0 : errors[status]);
  });
});
