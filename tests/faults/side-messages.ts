import type { Workspace } from '../support/operator.ts';
import { type Around, erase, UNLIMITED } from './side-around.ts';

/** Sizes of batches, in turn: most are small, one has as many items as a batch may have. */
const BATCH_SIZES = [1, 20, 5, 120, 10, 40, 1_000, 3] as const;
const SEND_AFTER_MS = 3_000;
/** An erasure looks through all messages and events first. */
const SEND_ERASED_AFTER_MS = 20_000;
/** What happens to scheduled messages before their time, in turn. */
const FATES = ['cancelled', 'erased', 'sent', 'sent'] as const;
const DAILY_BUDGET = 2_000;
const AGENT_HEADERS = { accept: 'application/json, text/event-stream' };

export type Ask = (
  key: string,
  path: string,
  idempotencyKey: string,
  body?: unknown,
) => Promise<{ json: { id?: string } } | undefined>;

/**
 * Batches, scheduled messages and an agent's sends, a little of each. The checker knows
 * them by the database.
 */
export class SideMessages {
  private batches = 0;
  private turns = 0;
  private agentKey = '';
  private workspace!: Workspace;

  private readonly around: Around;
  private readonly ask: Ask;

  // Node runs this file as it stands, and knows no parameter properties.
  constructor(around: Around, ask: Ask) {
    this.around = around;
    this.ask = ask;
  }

  /** Its plan ends within the first batches, so that grants and the wallet both pay. */
  async open(): Promise<void> {
    const { operator } = this.around;
    this.workspace = await operator.createWorkspace({
      credits: 10_000_000,
      settings: { limits: UNLIMITED },
    });
    const path = `/workspaces/${this.workspace.id}`;
    await operator.request('PUT', `${path}/plan`, { sms_segments_per_month: 300 });
    const body = { mode: 'live', permission: 'agent', daily_budget_credits: DAILY_BUDGET };
    const { json } = await operator.request('POST', `${path}/keys`, body);
    this.agentKey = json.key as string;
  }

  async batch(ordinal: number): Promise<void> {
    const size = BATCH_SIZES[this.batches++ % BATCH_SIZES.length]!;
    const messages = Array.from({ length: size }, (_, index) => {
      const number = `+234701${String((ordinal * 1_000 + index) % 10_000_000).padStart(7, '0')}`;
      // Not a number, so that answers contain errors, too.
      return { to: index === 2 ? '12' : number, body: `Item ${index}` };
    });
    const body = { from: 'Acme', messages };
    await this.ask(this.workspace.liveKey, '/v1/sms/batch', `batch-${ordinal}`, body);
  }

  async scheduled(ordinal: number): Promise<void> {
    const fate = FATES[this.turns++ % FATES.length]!;
    const waitMs = fate === 'erased' ? SEND_ERASED_AFTER_MS : SEND_AFTER_MS;
    const { liveKey } = this.workspace;
    const key = `scheduled-${ordinal}`;
    const to = `+234810${2_000_000 + ordinal}`;
    const sent = await this.ask(liveKey, '/v1/sms', key, {
      to,
      from: 'Acme',
      body: 'It is time.',
      send_at: new Date(Date.now() + waitMs).toISOString(),
    });
    const id = sent?.json.id;
    if (id === undefined) return;
    if (fate === 'cancelled') await this.ask(liveKey, `/v1/sms/${id}/cancel`, `${key}-cancel`, {});
    if (fate === 'erased') await erase(this.around, to);
  }

  /** An answer that is lost is asked for again under the same key. */
  async agent(ordinal: number): Promise<void> {
    const message = { to: `+234811${2_000_000 + ordinal}`, from: 'Acme', body: 'From an agent.' };
    const call = {
      jsonrpc: '2.0',
      id: ordinal,
      method: 'tools/call',
      params: {
        name: 'send_sms',
        arguments: { ...message, idempotency_key: `agent-${ordinal}` },
      },
    };
    for (let turn = 0; turn < 2; turn += 1) {
      await this.around.http
        .post('/mcp', call, { key: this.agentKey, headers: AGENT_HEADERS })
        .catch(() => undefined);
    }
  }
}
