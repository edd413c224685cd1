import type { Answer, HttpClient } from '../support/http.ts';
import type { Operator, Workspace } from '../support/operator.ts';
import { WebhookReceiver } from '../support/receiver.ts';
import { waitUntil } from '../support/wait-until.ts';
import { insist } from './insist.ts';
import { UNLIMITED } from './side-emails.ts';

/** A workspace may have twenty. */
const ENDPOINTS_MAX = 10;
/** Longer than a new endpoint has to prove itself, so that deliveries that wait behind are released. */
const ANSWER_MS = 150;
const RECOVERED_MS = 60_000;
/** A delivery that a dead process holds waits 20 s for its next attempt. */
const HAPPENS_WITHIN_MS = 60_000;

/**
 * Endpoints of variant B, a few at a time. The checker knows them by the database: an endpoint whose
 * recovery does not end is kept, so that the checker finds it.
 */
export class SideWebhooks {
  private readonly http: HttpClient;
  private readonly operator: Operator;
  private workspace!: Workspace;
  private receiver!: WebhookReceiver;
  /** What the receiver answers, by the path of an endpoint. */
  private readonly statuses = new Map<string, number>();

  constructor(http: HttpClient, operator: Operator) {
    this.http = http;
    this.operator = operator;
  }

  async open(): Promise<void> {
    this.workspace = await this.operator.createWorkspace({ settings: { limits: UNLIMITED } });
    this.receiver = await WebhookReceiver.start();
    this.receiver.delayMs = ANSWER_MS;
    this.receiver.answer = ({ path }) => this.statuses.get(path) ?? 200;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  /**
   * The receiver of a new endpoint is gone, which disables it. Then it is there again, and gets a test
   * and what it missed. In the end it fails, and the endpoint is deleted with a replay pending.
   */
  async next(ordinal: number): Promise<void> {
    if (this.statuses.size === ENDPOINTS_MAX) return;
    const path = `/${ordinal}`;
    const key = `side-webhook-${ordinal}`;
    this.statuses.set(path, 410);
    const wanted = { url: this.receiver.url + path, events: ['*'] };
    const created = await this.ask('POST', '/v1/webhooks', key, wanted);
    if (created?.status !== 201) return void this.statuses.delete(path);
    const webhook = `/v1/webhooks/${created.json.id}`;
    const sms = { to: `+234812${2_000_000 + ordinal}`, from: 'Acme', body: 'Hi' };
    await this.ask('POST', '/v1/sms', key, sms);
    await this.becomes(webhook, 'disabled');

    this.statuses.set(path, 200);
    await this.ask('PATCH', webhook, key, { status: 'enabled' });
    await this.ask('POST', `${webhook}/test`, key, {});
    const since = new Date(Date.now() - RECOVERED_MS).toISOString();
    const begun = await this.ask('POST', `${webhook}/recover`, key, { since });
    if (!(await this.becomes(`${webhook}/recover/${begun?.json?.id}`, 'done'))) return;

    this.statuses.set(path, 500);
    const listed = await this.ask('GET', `${webhook}/deliveries?limit=1`, key);
    const replay = `/v1/webhook-deliveries/${listed?.json?.data?.[0]?.id}/replay`;
    await this.ask('POST', replay, key, {});
    await this.ask('DELETE', webhook, key);
    this.statuses.delete(path);
  }

  private ask(method: string, path: string, key: string, body?: object) {
    const headers = { 'idempotency-key': key };
    const send = { key: this.workspace.testKey, headers, body };
    return insist((): Promise<Answer> => this.http.request(method, path, send));
  }

  private becomes(path: string, status: string): Promise<boolean> {
    return waitUntil(
      `${path} ${status}`,
      async () => (await this.ask('GET', path, ''))?.json?.status === status,
      { timeoutMs: HAPPENS_WITHIN_MS, everyMs: 200 },
    ).catch(() => false);
  }
}
