import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Customer, Suite } from './suite.js';

export interface AgentBounds {
  daily_budget_credits?: number;
  countries?: string[];
}

export interface ToolResult {
  isError: boolean;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
  body: any;
  replayed: boolean;
}

/** An agent program: one key and the official client. */
export class Agent {
  private constructor(
    readonly client: Client,
    readonly key: string,
  ) {}

  static async of(
    suite: Suite,
    customer: Customer,
    bounds: AgentBounds = {},
    mode: 'live' | 'test' = 'live',
  ): Promise<Agent> {
    const path = `/workspaces/${customer.id}/keys`;
    const body = { mode, permission: 'agent', ...bounds };
    const answer = await suite.operator.request('POST', path, body);
    if (answer.status !== 201) throw new Error(`no key: ${answer.status} ${answer.text}`);
    const key = answer.json.key as string;
    const client = new Client({ name: 'test-agent', version: '1.0.0' });
    const url = new URL('/mcp', suite.http.baseUrl);
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return new Agent(client, key);
  }

  /** Calls a tool. Its text is the JSON of its structured content, or this throws. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const result = await this.client.callTool({ name, arguments: args });
    const [first] = result.content;
    const body: unknown = JSON.parse(first?.type === 'text' ? first.text : '');
    if (JSON.stringify(body) !== JSON.stringify(result.structuredContent)) {
      throw new Error('the text is not the structured content');
    }
    const replayed = result._meta?.['idempotent_replayed'] === true;
    return { isError: result.isError === true, body, replayed };
  }
}
