/** Issue 4 section 1 item 7: one trace, from the request over the bus to the carrier and the webhook. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CarrierProxy } from '../support/carrier-proxy.js';
import type { ClusterCredentials } from '../support/cluster-processes.js';
import { Collector, type Span } from '../support/collector.js';
import { kafkaAccess } from '../support/kafka-access.js';
import { KafkaStranger, type StoredRecord } from '../support/kafka-stranger.js';
import { WebhookReceiver } from '../support/receiver.js';
import { useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

const collector = new Collector();
const carrier = new CarrierProxy();
const suite = useSystem(async () =>
  startOwnSystem({
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(),
    OTEL_BSP_SCHEDULE_DELAY: '100',
    AFRICAS_TALKING_BASE_URL: `${await carrier.start()}/africas-talking`,
  }),
);
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  carrier.simulatorUrl = suite.system.credentials.simulator_url;
});
afterAll(async () => {
  await receiver.close();
  carrier.stop();
  collector.stop();
});

/** Brokers of a cluster. One process has its bus in its database. */
function brokers(): string[] {
  return (suite.system.credentials as Partial<ClusterCredentials>).kafka_brokers ?? [];
}

/** Name of the service. In one process all have its name. */
function serviceName(service: string): string {
  return brokers().length === 0 ? 'watchword' : `watchword-${service}`;
}

/** Returns the W3C Trace Context that names the span as the cause. */
function traceparentOf(span: Span | undefined): string {
  return `00-${span?.traceId}-${span?.spanId}-01`;
}

/** Returns the `traceparent` of the message's first record, read by another Kafka client. */
async function traceparentIn(topic: string, messageId: string): Promise<string> {
  const { brokers: addresses, sasl } = kafkaAccess(suite.system.credentials)!;
  const stranger = await KafkaStranger.open(addresses, sasl);
  const found: string[] = [];
  const note = ({ value, headers }: StoredRecord) => {
    if (value.includes(messageId)) found.push(String(headers['traceparent']));
  };
  try {
    await stranger.whileReading([topic], note, () =>
      waitUntil(`its record in ${topic}`, () => found.length > 0),
    );
  } finally {
    await stranger.close();
  }
  return found[0]!;
}

/** Describes spans with place, start and duration. */
function withTimes(spans: readonly Span[]): (span: Span) => string {
  const beginning = Math.min(...spans.map((span) => Number(span.startTimeUnixNano)));
  const ms = (from: number, to: number) => `${Math.round((to - from) / 1e6)} ms`;
  return ({ name, service, startTimeUnixNano: start, endTimeUnixNano: end }) =>
    `${name} [${service}, at ${ms(beginning, Number(start))}, for ${ms(Number(start), Number(end))}]`;
}

describe('a message', () => {
  it('is one trace, from the request to the webhook', async () => {
    const customer = await suite.customer();
    await suite.operator.putWebhook(customer.workspace, receiver.url, ['sms.delivered']);
    const { json } = await customer.sendSms();
    await customer.smsWith('delivered', json.id as string);
    const expected = [
      'POST /v1/sms/send',
      '  accept',
      '    process svc.send-commands.v1',
      '      process svc.message-events.v1',
      '        webhook sms.delivered',
      '      submit africas_talking',
      '        report delivered',
    ];
    // Other events of the message, and other receipts of the carrier, may be included.
    const tree = () => [...new Set(collector.treeOf(json.id as string))];
    const isThere = async () => expected.every((line) => tree().includes(line));
    await waitUntil('the trace', isThere).catch(() => undefined);
    expect(tree()).toEqual(expected);
    expect([...collector.paths]).toEqual(['/v1/traces']);
    const id = json.id as string;
    console.log(collector.treeOf(id, withTimes(collector.of(id))).join('\n'));
  });

  it('is carried on by each service, in Kafka, to the carrier and to the receiver', async () => {
    const customer = await suite.customer();
    await suite.operator.putWebhook(customer.workspace, receiver.url, ['sms.delivered']);
    const { json } = await customer.sendSms();
    const id = json.id as string;
    const spanOf = (name: string) => collector.of(id).find((span) => span.name === name);
    const services = {
      'POST /v1/sms/send': 'gateway',
      accept: 'billing',
      'process svc.send-commands.v1': 'dispatch',
      'submit africas_talking': 'dispatch',
      'report delivered': 'dispatch',
      'process svc.message-events.v1': 'webhooks',
      'webhook sms.delivered': 'webhooks',
    };
    const isWhole = () => Object.keys(services).every(spanOf);
    await waitUntil('all of it', isWhole).catch(() => undefined);
    for (const [name, service] of Object.entries(services)) {
      expect([name, spanOf(name)?.service]).toEqual([name, serviceName(service)]);
    }

    const submit = traceparentOf(spanOf('submit africas_talking'));
    expect(carrier.headers.map(({ traceparent }) => traceparent)).toContain(submit);
    const [posted] = receiver.events('sms.delivered', id);
    const webhook = traceparentOf(spanOf('webhook sms.delivered'));
    expect(posted?.headers['traceparent']).toBe(webhook);
    if (brokers().length === 0) return;
    const causes = {
      'svc.send-commands.v1': spanOf('accept'),
      'svc.message-events.v1': spanOf('process svc.send-commands.v1'),
    };
    for (const [topic, cause] of Object.entries(causes)) {
      expect([topic, await traceparentIn(topic, id)]).toEqual([topic, traceparentOf(cause)]);
    }
  });

  it('shows what failed, and no number, text or code', async () => {
    const customer = await suite.customer();
    const phone_number = '+2348031239876';
    const submit = { kind: 'refuse', code: 402 };
    await suite.scenario({ provider: 'africas_talking', to: phone_number, submit });
    const { json } = await customer.sendSms({ phone_number, message: 'Confidential.' });
    await customer.smsWith('delivered', json.id as string);
    const lines = () => collector.treeOf(json.id as string).map((line) => line.trim());
    await waitUntil('both calls', async () => lines().includes('submit twilio'));
    const refused = collector.spans.find(
      ({ name, status }) => name === 'submit africas_talking' && status.code === 2,
    );
    expect(refused?.attributes).toContainEqual({
      key: 'watchword.outcome',
      value: { stringValue: 'refused' },
    });
    const said = JSON.stringify(collector.spans);
    expect(said).not.toMatch(/Confidential|234803123|svc_live/);
  });
});
