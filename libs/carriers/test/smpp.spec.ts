import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { SAMPLE } from '../src/provider-contract.kit.js';
import type { CarrierReport, Provider, SubmitOutcome } from '../src/provider.port.js';
import { testConnectionContract } from './connection-contract.kit.js';
import { ACCOUNT, smppProvider, SmscPeer } from './smsc.kit.js';

testConnectionContract('SMPP', {
  createPeer: () => new SmscPeer(),
  createProvider: (port) => smppProvider(port),
});

const THROTTLED = 0x58;
/** `command_status` of a `submit_sm_resp`, its name, and what it means for us. */
const STATUSES = [
  [0x01, 'ESME_RINVMSGLEN', 'message_invalid'],
  [0x02, 'ESME_RINVCMDLEN', 'message_invalid'],
  [0x03, 'ESME_RINVCMDID', 'provider_unavailable'],
  [0x04, 'ESME_RINVBNDSTS', 'provider_unavailable'],
  [0x05, 'ESME_RALYBND', 'provider_unavailable'],
  [0x06, 'ESME_RINVPRTFLG', 'message_invalid'],
  [0x07, 'ESME_RINVREGDLVFLG', 'message_invalid'],
  [0x08, 'ESME_RSYSERR', 'provider_unavailable'],
  [0x0a, 'ESME_RINVSRCADR', 'sender_id_rejected'],
  [0x0b, 'ESME_RINVDSTADR', 'invalid_number'],
  [0x0d, 'ESME_RBINDFAIL', 'provider_rejected'],
  [0x0e, 'ESME_RINVPASWD', 'provider_rejected'],
  [0x0f, 'ESME_RINVSYSID', 'provider_rejected'],
  [0x14, 'ESME_RMSGQFUL', 'throttled'],
  [0x15, 'ESME_RINVSERTYP', 'provider_rejected'],
  [0x43, 'ESME_RINVESMCLASS', 'message_invalid'],
  [0x45, 'ESME_RSUBMITFAIL', 'carrier_rejected'],
  [0x48, 'ESME_RINVSRCTON', 'sender_id_rejected'],
  [0x49, 'ESME_RINVSRCNPI', 'sender_id_rejected'],
  [0x50, 'ESME_RINVDSTTON', 'invalid_number'],
  [0x51, 'ESME_RINVDSTNPI', 'invalid_number'],
  [0x53, 'ESME_RINVSYSTYP', 'provider_rejected'],
  [0x58, 'ESME_RTHROTTLED', 'throttled'],
  [0x61, 'ESME_RINVSCHED', 'message_invalid'],
  [0x62, 'ESME_RINVEXPIRY', 'message_invalid'],
  [0x64, 'ESME_RX_T_APPN', 'network_error'],
  [0x65, 'ESME_RX_P_APPN', 'carrier_rejected'],
  [0x66, 'ESME_RX_R_APPN', 'carrier_rejected'],
  [0xc0, 'ESME_RINVOPTPARSTREAM', 'message_invalid'],
  [0xc1, 'ESME_ROPTPARNOTALLWD', 'message_invalid'],
  [0xc2, 'ESME_RINVPARLEN', 'message_invalid'],
  [0xc3, 'ESME_RMISSINGOPTPARAM', 'message_invalid'],
  [0xc4, 'ESME_RINVOPTPARAMVAL', 'message_invalid'],
  [0xfe, 'ESME_RDELIVERYFAILURE', 'network_error'],
  [0xff, 'ESME_RUNKNOWNERR', 'unknown_error'],
  [0x100, 'ESME_RSERTYPUNAUTH', 'provider_rejected'],
  [0x101, 'ESME_RPROHIBITED', 'provider_rejected'],
  [0x102, 'ESME_RSERTYPUNAVAIL', 'provider_unavailable'],
  [0x103, 'ESME_RSERTYPDENIED', 'provider_rejected'],
  [0x104, 'ESME_RINVDCS', 'message_invalid'],
] as const;
const LONG = 'Long text. '.repeat(40);

let peer: SmscPeer;
let provider: Provider;
let reports: CarrierReport[];

beforeEach(async () => {
  peer = new SmscPeer();
  await peer.listen();
  reports = [];
  provider = await smppProvider(peer.address);
});
afterEach(async () => {
  await provider.stop();
  await peer.close();
});

async function started(settings: object = {}, deadlineMs = 60_000) {
  provider = await smppProvider(peer.address, settings, { otp: deadlineMs, sms: deadlineMs });
  await provider.start(async (some) => void reports.push(...some));
}

const submit = (change: object = {}) => provider.submit({ ...SAMPLE, ...change });
const short = (index = 0) =>
  peer.pdus[index]!['short_message'] as { udh?: Buffer[]; message: string };

describe('what is submitted', () => {
  it('binds as a transceiver of version 3.4', async () => {
    await started({ systemType: 'SMPP' });
    expect(peer.binds[0]).toMatchObject({
      system_id: ACCOUNT.systemId,
      password: ACCOUNT.password,
      system_type: 'SMPP',
      interface_version: 0x34,
    });
  });

  it('has addresses by their form, a receipt and a relative validity', async () => {
    await started();
    await submit();
    expect(peer.pdus[0]).toMatchObject({
      ...{ source_addr: 'Acme', source_addr_ton: 5, source_addr_npi: 0 },
      ...{ destination_addr: '2348031234567', dest_addr_ton: 1, dest_addr_npi: 1 },
      ...{ data_coding: 0, esm_class: 0, registered_delivery: 1 },
    });
  });

  it.each([
    ['+447700900123', '447700900123', 1, 1],
    ['447700900123', '447700900123', 1, 1],
    ['20880', '20880', 3, 0],
    ['Acme 24', 'Acme 24', 5, 0],
  ])('writes the sender %s', async (senderId, address, ton, npi) => {
    await started();
    await submit({ senderId });
    expect(peer.pdus[0]).toMatchObject({
      ...{ source_addr: address, source_addr_ton: ton, source_addr_npi: npi },
    });
  });

  it('has headers with one reference, and never half a character', async () => {
    await started();
    await submit({ body: `${'A'.repeat(152)}€${'😀'.repeat(100)}` });
    const parts = peer.pdus.map((_, index) => short(index));
    expect(parts.map(({ udh }) => [...udh![0]!.subarray(3)])).toEqual(
      parts.map((_, index) => [parts.length, index + 1]),
    );
    expect(new Set(parts.map(({ udh }) => udh![0]![2])).size).toBe(1);
    expect(parts.map(({ message }) => message).join('')).toBe(
      `${'A'.repeat(152)}€${'😀'.repeat(100)}`,
    );
    for (const { message } of parts) expect(message.isWellFormed()).toBe(true);
  });

  it('has sar_* parameters, or is whole, where the settings say so', async () => {
    await started({ longMessages: 'sar' });
    await submit({ body: LONG });
    expect(peer.pdus.map((pdu) => pdu['sar_segment_seqnum'])).toEqual([1, 2, 3]);
    expect(peer.pdus.map((pdu) => pdu['sar_total_segments'])).toEqual([3, 3, 3]);
    await provider.stop();

    await started({ longMessages: 'payload' });
    const outcome = await submit({ body: LONG });
    expect(peer.pdus).toHaveLength(4);
    expect(peer.pdus[3]!['message_payload']).toMatchObject({ message: LONG });
    expect(outcome).not.toHaveProperty('partIds');
    peer.report('part-4', 'delivered');
    await eventually(() => expect(reports).toHaveLength(1));
    expect(reports[0]).not.toHaveProperty('part');
  });

  it('is never more than the window at once', async () => {
    peer.isMute = true;
    let ended: SubmitOutcome[] = [];
    // On a slow machine the first deadline passes before all three are written.
    for (const deadlineMs of [300, 5_000, 30_000]) {
      await provider.stop();
      peer.pdus.length = 0;
      await started({ concurrency: 3 }, deadlineMs);
      ended = await Promise.all(Array.from({ length: 5 }, () => submit()));
      if (peer.pdus.length >= 3) break;
    }
    expect(peer.pdus).toHaveLength(3);
    ended.sort((a, b) => a.outcome.localeCompare(b.outcome));
    const full = { outcome: 'refused', reason: 'throttled', rawCode: 'WINDOW_FULL' };
    const unanswered = { outcome: 'ambiguous', rawCode: 'DEADLINE' };
    expect(ended).toMatchObject([unanswered, unanswered, unanswered, full, full]);
  });
});

describe('what is answered', () => {
  it.each(STATUSES)('%i, %s, means %s', async (status, code, reason) => {
    await started();
    peer.statuses = [status];
    await expect(submit()).resolves.toMatchObject({ outcome: 'refused', rawCode: code, reason });
  });

  it('a status of the SMSC’s own means what the settings say', async () => {
    await started({ errorReasons: { '0x0400': 'no_route', '0dc': 'absent_subscriber' } });
    peer.statuses = [0x400, 0x401];
    const refused = { outcome: 'refused', reason: 'no_route', rawCode: '0x0400' };
    await expect(submit()).resolves.toMatchObject(refused);
    await expect(submit()).resolves.toMatchObject({ reason: 'unknown_error', rawCode: '0x0401' });
  });

  it('a refused first part keeps others back, a refused later one refuses the text', async () => {
    await started();
    peer.statuses = [0x45];
    await expect(submit({ body: LONG })).resolves.toMatchObject({ reason: 'carrier_rejected' });
    expect(peer.pdus).toHaveLength(1);
    peer.statuses = [0, 0, 0x08];
    await expect(submit({ body: LONG })).resolves.toMatchObject({
      ...{ outcome: 'refused', reason: 'provider_unavailable', partlyTaken: true },
    });
    expect(peer.pdus).toHaveLength(4);
    peer.statuses = [0x08];
    await expect(submit({ body: LONG })).resolves.not.toHaveProperty('partlyTaken');
  });

  it('a later part that is throttled is sent again', async () => {
    await started();
    peer.statuses = [0, THROTTLED, 0];
    await expect(submit({ body: LONG })).resolves.toMatchObject({ outcome: 'accepted' });
    expect(peer.pdus).toHaveLength(4);
  });

  it('an acceptance without an id may be one', async () => {
    await started();
    peer.idOf = () => '';
    await expect(submit()).resolves.toMatchObject({ outcome: 'ambiguous', rawCode: 'ESME_ROK' });
  });

  it('a bind with a wrong password is refused, and said to every submit', async () => {
    await expect(started({ password: 'wrong' })).rejects.toThrow('ESME_RINVPASWD');
    expect(provider.ready()).toBe(false);
    await expect(submit()).resolves.toMatchObject({
      ...{ outcome: 'refused', reason: 'provider_rejected', rawCode: 'ESME_RINVPASWD' },
    });
    expect(peer.binds).toHaveLength(1);
  });
});
