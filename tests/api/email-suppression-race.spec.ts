/** A bounce that arrives while the next emails to that address are accepted: decisions 20 and 26. */
import { describe, expect, it } from '@jest/globals';
import { type Customer, type Scenario, useSystem } from '../support/suite.js';
import { verifiedDomain } from '../support/records.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
const ADDRESSES = 3;
const SENDERS = 2;
/** More than are sent until the slowest machine takes the first bounce. */
const CREDITS = 10_000;

interface Asked {
  startedAt: number;
  endedAt: number;
  /** Id of an accepted email. */
  id: string | undefined;
}

interface Race {
  customer: Customer;
  from: string;
  address: string;
}

/** Sends repeatedly until the address is refused, and once more. */
async function untilRefused({ customer, from, address }: Race): Promise<Asked[]> {
  const all: Asked[] = [];
  for (let refusals = 0; refusals < 2;) {
    const startedAt = performance.now();
    const body = { from, to: address, subject: 'Hello', text: 'Hi' };
    const { status, json } = await customer.post('/v1/emails', body);
    all.push({ startedAt, endedAt: performance.now(), id: status === 202 ? json.id : undefined });
    if (status === 400) {
      expect(json.error).toMatchObject({ type: 'address_suppressed', field: 'to' });
      refusals += 1;
    } else expect(status).toBe(202);
  }
  return all;
}

/** Resolves when the list shows the address, so its entry is committed. */
function committedAt({ customer, address }: Race): Promise<number> {
  return waitUntil(
    `${address} on the list`,
    async () => {
      const { json } = await customer.get('/v1/suppressions?channel=email');
      const list = json.data as { address: string }[];
      return list.some((entry) => entry.address === address) ? performance.now() : undefined;
    },
    { everyMs: 5 },
  );
}

async function settled({ customer }: Race, id: string) {
  return waitUntil(
    `the end of email ${id}`,
    async () => {
      const { json } = await customer.get(`/v1/emails/${id}`);
      const isOpen = ['queued', 'sent', 'delivered'].includes(json.status);
      return isOpen ? undefined : (json as { status: string; error_code: string | null });
    },
    { everyMs: 50 },
  );
}

async function raced(race: Race) {
  const [knownAt, ...asked] = await Promise.all([
    committedAt(race),
    ...Array.from({ length: SENDERS }, () => untilRefused(race)),
  ]);
  const all = asked.flat();
  const accepted = all.filter(({ id }) => id !== undefined);
  const refusedAt = Math.min(...all.filter(({ id }) => !id).map(({ endedAt }) => endedAt));
  const late = accepted.filter(({ startedAt }) => startedAt > Math.min(knownAt, refusedAt));
  // One after the other: hundreds of readers would hold up the bounces that they wait for.
  const ends = [];
  for (const { id } of accepted) ends.push(await settled(race, id!));
  return { late, ends };
}

describe('a bounce that races the next emails to its address', () => {
  it.each<[string, Scenario, boolean]>([
    ['at RCPT', { submit: { kind: 'refuse', code: '550 5.1.1', delay_ms: 150 } }, false],
    ['in a report', { receipts: [{ after_ms: 150, outcome: 'failed', code: '5.1.1' }] }, true],
  ])(
    'decisions 20: suppresses it before another is accepted: %s',
    async (name, scenario, isTaken) => {
      const limits = { variant_b_per_second: null, variant_b_burst: null };
      const customer = await suite.customer({ credits: CREDITS, settings: { limits } });
      const from = `a@${await verifiedDomain(suite, customer)}`;
      const addresses = Array.from(
        { length: ADDRESSES },
        (_, index) => `race-${name.replaceAll(' ', '-').toLowerCase()}-${index}@example.org`,
      );
      for (const to of addresses) await suite.scenario({ provider: 'smtp', to, ...scenario });
      const races = addresses.map((address) => raced({ customer, from, address }));
      const results = await Promise.all(races);
      expect(results.flatMap(({ late }) => late)).toEqual([]);
      const ends = results.flatMap((result) => result.ends);
      expect(ends.length).toBeGreaterThanOrEqual(ADDRESSES);
      const failed = ends.filter(({ status }) => status === 'failed');
      // Emails that were accepted and not handed over fail, and are refunded.
      expect(failed.every(({ error_code }) => error_code === 'address_suppressed')).toBe(true);
      const bounced = ends.filter(({ status }) => status === 'bounced');
      expect(failed.length + bounced.length).toBe(ends.length);
      for (const { ends: own } of results) {
        expect(own.some(({ status }) => status === 'bounced')).toBe(true);
      }
      await waitUntil(
        'the refunds',
        async () => (await customer.balance()) === CREDITS - bounced.length || undefined,
        { everyMs: 50 },
      );
      const copies = await Promise.all(
        addresses.map(async (to) => {
          const { json } = await suite.system.simulator.get(`/_simulator/emails?to=${to}`);
          return (json as unknown[]).length;
        }),
      );
      const sum = copies.reduce((total, count) => total + count, 0);
      expect(sum).toBe(isTaken ? bounced.length : 0);
    },
  );
});
