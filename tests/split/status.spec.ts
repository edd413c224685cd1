/** Issue 4 section 1 item 6: every process reports its status on its own port. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICE_NAMES } from '@watchword/config';
import { HttpClient } from '../support/http.js';
import { eventually } from '@watchword/testing';
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

describe.each(SERVICE_NAMES)('%s', (name) => {
  it('is there twice, healthy and ready, and shows what it depends on', async () => {
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
  });
});

describe('metrics', () => {
  it('count what is sent, by few and known labels', async () => {
    const customer = await suite.customer();
    const { json } = await customer.sendSms();
    await customer.smsWith('delivered', json.id as string);
    await customer.get('/v1/sms/nothing');
    const urls = SERVICE_NAMES.flatMap((name) =>
      system.processes.services(name).map(({ metrics_url: url }) => url),
    );
    // Some figures appear after the process's first look.
    const texts = await eventually(async () => {
      const scrapes = await Promise.all(urls.map(ask));
      const all = scrapes.map(({ text }) => text).join('\n');
      expect(all).toMatch(
        /^watchword_sends_total\{kind="sms",mode="live",result="accepted"\} \d+$/m,
      );
      expect(all).toMatch(/^watchword_refusals_total\{type="not_found"\} \d+$/m);
      expect(all).toMatch(/^watchword_provider_submit_seconds_count\{provider="africas_talking"/m);
      expect(all).toMatch(/^watchword_bus_away 0$/m);
      expect(all).toMatch(/^watchword_outbox_waiting\{service="billing"\} \d+$/m);
      expect(all).toMatch(/^watchword_webhook_deliveries_due \d+$/m);
      expect(all).toMatch(/^watchword_bus_waiting\{topic="svc.send-commands.v1"/m);
      return scrapes;
    });
    for (const { text } of texts) {
      expect(text.split('\n').filter((line) => !line.startsWith('#')).length).toBeLessThan(1_000);
      // A value may look like anything: 0.0234567891 seconds.
      const names = text.replaceAll(/ \S+$/gm, '');
      expect(names).not.toMatch(/\+?234\d{7}|svc_live|[0-9a-f]{8}-[0-9a-f]{4}-7/);
    }
  });
});
