/** Pages of `GET /v1/sms`: the first one, and one far behind it. */
import { request } from 'undici';
import type { Contestant, Environment } from './environment.ts';

const PAGE = 50;
const DATABASE = 'watchword';

export interface Side {
  name: string;
  key: string;
  count: number;
  farPage: number;
}

/** The paths by name. The cursor of the far page is made of the last row before it. */
export async function pagesOf(
  environment: Environment,
  { url }: Contestant,
  { key, farPage }: Side,
): Promise<[name: string, path: string][]> {
  const list = (query: string) => `/v1/sms?limit=${PAGE}${query}`;
  const answer = await request(url + list(''), { headers: { authorization: `Bearer ${key}` } });
  const first = (await answer.body.json()) as {
    data: { id: string; project_id?: string; workspace_id?: string }[];
    next_cursor: string;
  };
  const last = first.data.at(-1)!;
  const workspace = last.workspace_id ?? last.project_id!;
  const rows = await environment.queryOf(
    DATABASE,
    `SELECT id, (extract(epoch FROM created_at) * 1000)::bigint AS ms FROM dispatch.messages
     WHERE (workspace_id = '${workspace}' AND id = '${last.id}')
     UNION ALL (
       SELECT id, (extract(epoch FROM created_at) * 1000)::bigint FROM dispatch.messages
       WHERE workspace_id = '${workspace}'
       ORDER BY created_at DESC, id DESC OFFSET ${(farPage - 1) * PAGE - 1} LIMIT 1)`,
  );
  const [known, far] = rows as [Record<string, string>, Record<string, string>];
  const text = Buffer.from(first.next_cursor, 'base64url').toString();
  const moved = text
    .replace(known['id']!, far['id']!)
    .replace(known['ms']!, far['ms']!)
    .replace(
      new Date(Number(known['ms'])).toISOString(),
      new Date(Number(far['ms'])).toISOString(),
    );
  if (moved === text) throw new Error(`a cursor of unknown form: ${text}`);
  const cursor = Buffer.from(moved).toString('base64url');
  return [
    ['first page', list('')],
    ['far page', list(`&cursor=${cursor}`)],
  ];
}

export async function pageMs({ url }: Contestant, key: string, path: string): Promise<number> {
  const startedAt = performance.now();
  const answer = await request(url + path, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await answer.body.json()) as { data?: unknown[] };
  const ms = performance.now() - startedAt;
  if (answer.statusCode !== 200 || data?.length !== PAGE) {
    throw new Error(`${path}: ${answer.statusCode}, ${data?.length} messages`);
  }
  return ms;
}
