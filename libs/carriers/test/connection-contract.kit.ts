/** Tests that every adapter with its own connection must pass, against a peer of its dialect. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@watchword/testing';
import { SAMPLE } from '../src/provider-contract.kit.js';
import type { CarrierReport, Provider, SubmitOutcome } from '../src/provider.port.js';

/** Septets of one part of a longer text. */
const PART_LENGTH = 153;

/** The carrier's side. It repeats a report until it is acknowledged. */
export interface ConnectedPeer {
  readonly address: string;
  /** While true, it answers no submit. */
  isMute: boolean;
  /** Ids of the parts of each submit. */
  readonly submits: readonly (readonly string[])[];
  readonly unacknowledged: readonly string[];
  listen(): Promise<void>;
  /** Ends the connections and refuses new ones until `listen`. */
  goAway(): Promise<void>;
  report(id: string, state: CarrierReport['state']): void;
  close(): Promise<void>;
}

export interface ConnectionSubject {
  createPeer(): ConnectedPeer;
  createProvider(address: string): Provider | Promise<Provider>;
}

export function testConnectionContract(name: string, subject: ConnectionSubject): void {
  describe(`${name} keeps the contract of connections`, () => {
    let peer: ConnectedPeer;
    let provider: Provider;
    let reports: CarrierReport[];
    let record: () => Promise<void>;

    beforeEach(async () => {
      reports = [];
      record = async () => undefined;
      peer = subject.createPeer();
      await peer.listen();
      provider = await subject.createProvider(peer.address);
    });
    afterEach(async () => {
      await provider.stop();
      await peer.close();
    });

    const start = () =>
      provider.start(async (some) => {
        await record();
        reports.push(...some);
      });
    const ready = (isReady: boolean) => eventually(() => expect(provider.ready()).toBe(isReady));
    const submit = (segments = 1) => {
      const body = segments === 1 ? SAMPLE.body : 'A'.repeat(PART_LENGTH * segments);
      return provider.submit({ ...SAMPLE, body, segments });
    };
    const idsOf = (outcome: SubmitOutcome) =>
      outcome.outcome === 'accepted' ? outcome.partIds : outcome.outcome;

    it('is ready once it is connected, and until its stop', async () => {
      expect(provider.ready()).toBe(false);
      await start();
      await ready(true);
      await provider.stop();
      expect(provider.ready()).toBe(false);
      await expect(submit()).resolves.toMatchObject({ outcome: 'refused' });
    });

    it('starts without its carrier, and is ready when the carrier comes', async () => {
      await peer.goAway();
      await start();
      expect(provider.ready()).toBe(false);
      await expect(submit()).resolves.toMatchObject({
        outcome: 'refused',
        reason: 'provider_unavailable',
      });
      await peer.listen();
      await ready(true);
      expect(peer.submits).toEqual([]);
    });

    it('restores a lost connection by itself', async () => {
      await start();
      await ready(true);
      await peer.goAway();
      await ready(false);
      await peer.listen();
      await ready(true);
      await expect(submit()).resolves.toMatchObject({ outcome: 'accepted' });
    });

    it('does not know what became of a submit that a lost connection left', async () => {
      await start();
      await ready(true);
      peer.isMute = true;
      const outcome = submit();
      await eventually(() => expect(peer.submits).toHaveLength(1));
      await peer.goAway();
      await expect(outcome).resolves.toMatchObject({ outcome: 'ambiguous' });
    });

    it('names the ids of all parts, and reports each', async () => {
      await start();
      await ready(true);
      const ids = idsOf(await submit(3));
      expect(ids).toEqual(peer.submits[0]);
      expect(ids).toHaveLength(3);
      for (const id of peer.submits[0]!) peer.report(id, 'delivered');
      await eventually(() => expect(peer.unacknowledged).toEqual([]));
      const reported = new Set(reports.map(({ part, state }) => `${part?.id} ${state}`));
      expect([...reported]).toEqual(peer.submits[0]!.map((id) => `${id} delivered`));
    });

    it('acknowledges a report once it is on record, and not before', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      let isAsked = false;
      record = () => {
        isAsked = true;
        return promise;
      };
      await start();
      await ready(true);
      peer.report('part-of-old', 'delivered');
      await eventually(() => expect(isAsked).toBe(true));
      expect(peer.unacknowledged).toEqual(['part-of-old']);
      resolve();
      await eventually(() => expect(peer.unacknowledged).toEqual([]));
      expect(reports[0]).toMatchObject({ providerMessageId: 'part-of-old', state: 'delivered' });
    });

    it('gets a report again that was not recorded', async () => {
      let failures = 0;
      record = async () => {
        failures += 1;
        if (failures < 3) throw new Error('the database is away');
      };
      await start();
      await ready(true);
      peer.report('part-of-old', 'failed');
      await eventually(() => expect(peer.unacknowledged).toEqual([]));
      expect(failures).toBeGreaterThanOrEqual(3);
      expect(reports[0]).toMatchObject({ state: 'failed' });
      expect(reports[0]!.reason).not.toBeNull();
    });
  });
}
