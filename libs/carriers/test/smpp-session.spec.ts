import type { AddressInfo } from 'node:net';
import library, { type PDU } from 'smpp';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { eventually, selfSigned } from '@watchword/testing';
import { SAMPLE } from '../src/provider-contract.kit.js';
import { forAllKinds, type Provider } from '../src/provider.port.js';
import { SmppAdapter } from '../src/smpp/smpp.adapter.js';
import { ACCOUNT, smppProvider, SmscPeer, unreadablePdu } from './smsc.kit.js';

let peer: SmscPeer;
let provider: Provider;

beforeEach(async () => {
  peer = new SmscPeer();
  await peer.listen();
  provider = await smppProvider(peer.address);
});
afterEach(async () => {
  await provider.stop();
  await peer.close();
});

async function started(settings: object = {}) {
  provider = await smppProvider(peer.address, settings, forAllKinds(20_000));
  await provider.start(async () => {});
}

const submit = (change: object = {}) => provider.submit({ ...SAMPLE, ...change });

describe('the session', () => {
  it('answers enquire_link and refuses commands that it does not know', async () => {
    await started();
    await expect(peer.ask('enquire_link')).resolves.toEqual([0]);
    await expect(peer.ask('query_sm')).resolves.toEqual([0x03]);
  });

  it('is bound again after the SMSC has ended it', async () => {
    await started();
    await expect(peer.ask('unbind')).resolves.toEqual([0]);
    await eventually(() => expect(peer.binds).toHaveLength(2));
    await eventually(() => expect(provider.ready()).toBe(true));
  });

  it('is checked every 30 s, and bound again when the SMSC does not answer for 10 s', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      await started();
      const until = async (check: () => boolean) => {
        for (let turns = 0; turns < 100_000 && !check(); turns += 1) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(check()).toBe(true);
      };
      await jest.advanceTimersByTimeAsync(30_000);
      await until(() => peer.enquiries === 1);
      await jest.advanceTimersByTimeAsync(29_000);
      expect(provider.ready()).toBe(true);
      peer.isDead = true;
      await jest.advanceTimersByTimeAsync(1_000);
      await until(() => peer.enquiries === 2);
      expect(provider.ready()).toBe(true);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(provider.ready()).toBe(false);
      await until(() => provider.ready());
      expect(peer.binds).toHaveLength(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is bound again after an answer that it is not bound', async () => {
    await started();
    peer.statuses = [0x04];
    await expect(submit()).resolves.toMatchObject({ reason: 'provider_unavailable' });
    await eventually(() => expect(peer.binds).toHaveLength(2));
    await expect(submit()).resolves.toMatchObject({ outcome: 'accepted' });
  });

  it('lives on after a deliver_sm that cannot be read, which is refused for good', async () => {
    await started();
    peer.write(unreadablePdu(0x05, 7));
    await expect(peer.ask('enquire_link')).resolves.toEqual([0]);
    await expect(submit()).resolves.toMatchObject({ outcome: 'accepted' });
    expect(peer.binds).toHaveLength(1);
  });

  it.each([
    ['submit_sm_resp', 0x80000004, 1],
    ['generic_nack', 0x80000000, 0],
  ])('takes an unreadable %s as the lost answer of its submit', async (_title, command, bytes) => {
    await started();
    peer.isMute = true;
    const outcome = submit();
    await eventually(() => expect(peer.pdus).toHaveLength(1));
    peer.write(unreadablePdu(command, peer.pdus[0]!.sequence_number, bytes));
    await expect(outcome).resolves.toMatchObject({ outcome: 'ambiguous', rawCode: 'UNREADABLE' });
    await expect(peer.ask('enquire_link')).resolves.toEqual([0]);
    expect(peer.nacks).toBe(0);
  });

  it('waits for answers when it is stopped, then unbinds', async () => {
    peer.isMute = true;
    await started();
    const outcome = submit();
    await eventually(() => expect(peer.pdus).toHaveLength(1));
    const stopped = provider.stop();
    await expect(submit()).resolves.toMatchObject({ outcome: 'refused', rawCode: 'STOPPED' });
    await stopped;
    await expect(outcome).resolves.toMatchObject({ outcome: 'ambiguous' });
    await eventually(() => expect(peer.connected).toBe(0));
  });

  it('is encrypted, and checks the certificate, where the settings say so', async () => {
    const { cert, key, ca } = selfSigned();
    const submits: PDU[] = [];
    const server = library.createServer({ cert, key }, (session) => {
      session.on('error', () => session.destroy());
      session.on('bind_transceiver', (pdu: PDU) => session.send(pdu.response()));
      session.on('unbind', (pdu: PDU) => session.send(pdu.response()));
      session.on('submit_sm', (pdu: PDU) => {
        submits.push(pdu);
        session.send(pdu.response({ message_id: 'over-tls' }));
      });
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;

    provider = await smppProvider(port, { security: 'tls' });
    await provider.start(async () => {});
    await expect(submit()).resolves.toMatchObject({
      ...{ outcome: 'refused', reason: 'provider_unavailable' },
      rawCode: expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY/),
    });
    expect(submits).toEqual([]);
    await provider.stop();

    provider = new SmppAdapter({
      ...{ id: 'smpp', host: '127.0.0.1', port, tls: { ca }, ...ACCOUNT, systemType: '' },
      addresses: { sourceTon: null, sourceNpi: null },
      ...{ longMessages: 'udh', messageIds: 'same', errorReasons: new Map() },
      ...{ defaultSenderId: 'Acme', deadlines: forAllKinds(20_000) },
      capacity: { concurrency: 1, messagesPerSecond: null, waitingMax: 1 },
    });
    await provider.start(async () => {});
    await expect(submit()).resolves.toEqual({
      ...{ outcome: 'accepted', providerMessageId: 'over-tls' },
    });
    await provider.stop();
    await new Promise((resolve) => server.close(resolve));
  });
});
