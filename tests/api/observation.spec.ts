/** What operators watch exists in the running system: issue 16 section 1 items 5 and 6. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { expressionsIn, metricsIn } from '../deploy/alarms/metric-names.js';
import { alarms, dashboards, recorded } from '../deploy/alarms/rules.js';
import type { ClusterCredentials } from '../support/cluster-processes.js';
import { freshNumber } from '../support/numbers.js';
import { useSystem } from '../support/suite.js';
import { waitUntil } from '../support/wait-until.js';

const suite = useSystem();
let scrapes: string;

function addresses(): string[] {
  const credentials = suite.system.credentials as Partial<ClusterCredentials>;
  const { status_url: status, services = [] } = credentials;
  const all = services.map(({ metrics_url: url }) => url);
  return status === undefined ? all : [...all, `${status}/metrics`];
}

async function scrapeAll(): Promise<string> {
  const texts = await Promise.all(addresses().map(async (url) => (await fetch(url)).text()));
  return texts.join('\n');
}

/** Sum over all processes. */
async function numberOf(series: string): Promise<number> {
  const lines = (await scrapeAll()).split('\n').filter((line) => line.startsWith(`${series} `));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

beforeAll(async () => {
  scrapes = await scrapeAll();
});

describe('a scrape of the running system', () => {
  const used = [...alarms, ...recorded].flatMap(({ expr }) => metricsIn(expr));
  const shown = dashboards.flatMap(({ dashboard }) => expressionsIn(dashboard).flatMap(metricsIn));
  const names = new Set([...used, ...shown].map(({ metric }) => metric));

  it.each([...names])('has %s, which a rule or a dashboard uses', (name) => {
    expect(scrapes).toContain(`# TYPE ${name} `);
  });

  it('shows what each process depends on as up', () => {
    for (const dependency of ['database', 'bus']) {
      expect(scrapes).toContain(`watchword_dependency_up{dependency="${dependency}"} 1`);
    }
  });

  it('shows closed circuits, dead letters and sends that fail as 0 before there are any', () => {
    expect(scrapes).toMatch(/^watchword_carrier_circuit_open\{account="twilio"\} [01]$/m);
    expect(scrapes).toMatch(/^watchword_dead_letters_held\{topic="svc.refund-commands.v1"/m);
    expect(scrapes).toMatch(/^watchword_requests_total\{route="POST \/v1\/sms",status="503"\} /m);
  });
});

describe('a live message', () => {
  it('is counted where it passes', async () => {
    const customer = await suite.customer();
    const series = {
      sent: 'watchword_messages_total{kind="sms",state="sent",reason=""}',
      delivered: 'watchword_messages_total{kind="sms",state="delivered",reason=""}',
      carrier: 'watchword_time_to_carrier_seconds_count{kind="sms"}',
      request: 'watchword_requests_total{route="POST /v1/sms/send",status="200"}',
      attempt: 'watchword_attempts_total{account="africas_talking",outcome="accepted"}',
    };
    const counts = () => Promise.all(Object.values(series).map(numberOf));
    const before = await counts();
    const { json } = await customer.sendSms();
    await customer.smsWith('delivered', json.id as string);
    await waitUntil('all of it to be counted', async () => {
      const after = await counts();
      return after.every((count, index) => count > before[index]!);
    });
  });
});

describe('a code of a carrier that is not mapped', () => {
  it('is counted from an answer and from a delivery report', async () => {
    const customer = await suite.customer();
    const to = freshNumber();
    const series = (provider: string) =>
      numberOf(`watchword_unmapped_carrier_codes_total{provider="${provider}"}`);
    const counts = () => Promise.all(['africas_talking', 'twilio'].map(series));
    const before = await counts();
    await suite.scenario({
      ...{ provider: 'africas_talking', to, submit: { kind: 'refuse', code: 499 } },
    });
    const receipts = [{ after_ms: 0, outcome: 'failed' as const, code: 39999 }];
    await suite.scenario({ provider: 'twilio', to, receipts });
    const { json } = await customer.sendSms({ phone_number: to });
    await customer.smsWith('failed', json.id as string);
    await waitUntil('both to be counted', async () => {
      const after = await counts();
      return after.every((count, index) => count > before[index]!);
    });
  });
});
