import type { Answer } from './http.js';
import { onceNotBusy } from './once-not-busy.ts';
import type { RunningSystem } from './system.js';

/** A workspace made for one test, through the operator API only. */
export interface Workspace {
  id: string;
  liveKey: string;
  testKey: string;
}

export class Operator {
  private readonly system: Pick<RunningSystem, 'http' | 'credentials'>;

  constructor(system: Pick<RunningSystem, 'http' | 'credentials'>) {
    this.system = system;
  }

  private get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.system.credentials.operator_token}` };
  }

  request(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
    return this.system.http.request(method, `/operator/v1${path}`, {
      body,
      headers: { ...this.headers, ...headers },
    });
  }

  async createWorkspace(options: Record<string, unknown> = {}): Promise<Workspace> {
    const body = { name: 'Acme', credits: 1_000, billing_country: 'NG', ...options };
    const answer = await onceNotBusy(() => this.request('POST', '/workspaces', body));
    if (answer.status !== 201) throw new Error(`no workspace: ${answer.status} ${answer.text}`);
    return {
      id: answer.json.workspace_id,
      liveKey: answer.json.live_key,
      testKey: answer.json.test_key,
    };
  }

  async balance(workspace: Workspace): Promise<number> {
    return (await this.request('GET', `/workspaces/${workspace.id}`)).json.balance as number;
  }

  /** Returns the signing secret. */
  async putWebhook(workspace: Workspace, url: string, events?: string[]): Promise<string> {
    const path = `/workspaces/${workspace.id}/webhook`;
    const answer = await onceNotBusy(() => this.request('PUT', path, { url, events }));
    if (answer.status !== 200) throw new Error(`no webhook: ${answer.status} ${answer.text}`);
    return answer.json.secret as string;
  }

  async ledger(workspace: Workspace): Promise<Record<string, unknown>[]> {
    const entries: Record<string, unknown>[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.request(
        'GET',
        `/workspaces/${workspace.id}/ledger?limit=200${cursor ? `&cursor=${cursor}` : ''}`,
      );
      entries.push(...page.json.data);
      cursor = page.json.next_cursor;
    } while (cursor);
    return entries;
  }
}
