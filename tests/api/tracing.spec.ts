/** Issue 4 section 1 item 7: one trace, from the request over the bus to the carrier and the webhook. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookReceiver } from '../support/receiver.js';
import { useSystem } from '../support/suite.js';
import { startOwnSystem } from '../support/system.js';
import { waitUntil } from '../support/wait-until.js';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

interface Export {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

/** An OTLP collector that keeps what it is told. */
class Collector {
  readonly spans: Span[] = [];
  readonly paths = new Set<string>();
  private server!: Server;

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        this.paths.add(request.url ?? '');
        const { resourceSpans } = JSON.parse(text) as Export;
        this.spans.push(
          ...resourceSpans.flatMap((of) => of.scopeSpans.flatMap((one) => one.spans)),
        );
        response.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Of one message, as indented names: each span under the one that caused it. */
  treeOf(messageId: string): string[] {
    const spans = this.spans.filter(({ traceId }) => traceId === messageId.replaceAll('-', ''));
    const under = (parent: string, depth: number): string[] =>
      spans
        .filter(({ parentSpanId = '' }) => parentSpanId === parent)
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .flatMap(({ name, spanId }) => ['  '.repeat(depth) + name, ...under(spanId, depth + 1)]);
    return under('', 0);
  }
}

const collector = new Collector();
const suite = useSystem(async () =>
  startOwnSystem({
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(),
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }),
);
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(async () => {
  await receiver.close();
  collector.stop();
});

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
    // Other events of the message, and other receipts of the carrier, may be among them.
    const tree = () => [...new Set(collector.treeOf(json.id as string))];
    const isThere = async () => expected.every((line) => tree().includes(line));
    await waitUntil('the trace', isThere, { timeoutMs: 15_000 }).catch(() => undefined);
    expect(tree()).toEqual(expected);
    expect([...collector.paths]).toEqual(['/v1/traces']);
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
