/** Issue 4 section 1 item 6: every process reports its status on its own port. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@watchword/config';
import { HttpClient } from '../support/http.js';
import { Suite } from '../support/suite.js';
import { SplitSystem } from './split-system.js';

const suite = new Suite();
let system: SplitSystem;

beforeAll(async () => {
  system = await SplitSystem.openFor(suite);
});

afterAll(() => system.close());

async function ask(url: string) {
  const { origin, pathname } = new URL(url);
  const client = new HttpClient(origin);
  const answer = await client.get(pathname);
  await client.close();
  return answer;
}

it.each(SERVICE_NAMES)(
  'both replicas of %s are healthy, and their readiness names what they depend on',
  async (name) => {
    const services = system.processes.services(name);
    expect(services).toHaveLength(2);
    for (const { health_url: health } of services) {
      expect((await ask(health)).json).toEqual({ status: 'ok' });
      const ready = await ask(health.replace('/health', '/ready'));
      expect(ready.status).toBe(200);
      expect(ready.json).toMatchObject({
        status: 'ready',
        migrations: {
          [name]: { at: expect.stringMatching(/^[A-Z]\w+\d{13}$/), ran: expect.any(Number) },
        },
        own: { [`database of ${name}`]: true },
        others: { bus: true, ...(name === 'gateway' && { redis: true }) },
        lag: expect.any(Array),
      });
    }
  },
);
