import type { Answer } from '../support/http.ts';
import type { Workspace } from '../support/operator.ts';
import { WebhookReceiver } from '../support/receiver.ts';
import { waitUntil } from '../support/wait-until.ts';
import { insist } from './insist.ts';
import { type Around, UNLIMITED } from './side-around.ts';

/** A workspace may have twenty. */
const ENDPOINTS_MAX = 10;
/** Above the 100 ms of a new endpoint's probation, so that deliveries that wait behind are released. */
const ANSWER_MS = 150;
const RECOVERED_MS = 60_000;
/** A delivery that a dead process holds waits 20 s for its next attempt. */
const HAPPENS_WITHIN_MS = 60_000;

/**
 * Endpoints of variant B, a few at a time. The checker knows them by the database: an endpoint whose
 * recovery does not end is kept, so that the checker finds it.
 */
export class SideWebhooks {
  private readonly around: Around;
  private workspace!: Workspace;
  private receiver!: WebhookReceiver;
  /** What the receiver answers, by the path of an endpoint. */
  private readonly statuses = new Map<string, number>();

  constructor(around: Around) {
    this.around = around;
  }

  async open(): Promise<void> {
    this.workspace = await this.around.operator.createWorkspace({
      settings: { limits: UNLIMITED },
    });
    this.receiver = await WebhookReceiver.start();
    this.receiver.delayMs = ANSWER_MS;
    this.receiver.answer = ({ path }) => {
      // Nobody reads them, and a run lasts for long.
      this.receiver.received.length = 0;
      return this.statuses.get(path) ?? 200;
    };
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  /**
   * A new endpoint answers 410 and is disabled. It recovers, gets a test and the missed events. Then it
   * answers 500 and is deleted while a replay is pending.
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
    if (!(await this.becomes(webhook, 'disabled'))) return this.remove(webhook, path, key);

    this.statuses.set(path, 200);
    await this.ask('PATCH', webhook, key, { status: 'enabled' });
    await this.ask('POST', `${webhook}/test`, key, {});
    const since = new Date(Date.now() - RECOVERED_MS).toISOString();
    const begun = await this.ask('POST', `${webhook}/recover`, key, { since });
    const recovery = begun?.json?.id as string | undefined;
    if (recovery === undefined) return this.remove(webhook, path, key);
    if (!(await this.becomes(`${webhook}/recover/${recovery}`, 'done'))) return;

    this.statuses.set(path, 500);
    const listed = await this.ask('GET', `${webhook}/deliveries?limit=1`, key);
    const delivery = listed?.json?.data?.[0]?.id as string | undefined;
    if (delivery) await this.ask('POST', `/v1/webhook-deliveries/${delivery}/replay`, key, {});
    await this.remove(webhook, path, key);
  }

  private async remove(webhook: string, path: string, key: string): Promise<void> {
    await this.ask('DELETE', webhook, key);
    this.statuses.delete(path);
  }

  private ask(method: string, path: string, key: string, body?: object) {
    const headers = { 'idempotency-key': key };
    const send = { key: this.workspace.testKey, headers, body };
    return insist((): Promise<Answer> => this.around.http.request(method, path, send));
  }

  private becomes(path: string, status: string): Promise<boolean> {
    return waitUntil(
      `${path} ${status}`,
      async () => {
        const answer = await this.around.http
          .get(path, { key: this.workspace.testKey })
          .catch(() => null);
        return answer?.json?.status === status;
      },
      { timeoutMs: HAPPENS_WITHIN_MS, everyMs: 200 },
    ).catch(() => false);
  }
}
