/**
 * The plain peer: what a competent engineer writes in an afternoon. A Fastify handler that reads the key,
 * then BEGIN, balance, ledger, message, outbox, COMMIT, one round trip each, over a pool of 16 connections
 * to a PostgreSQL with the same settings as ours. It validates less, limits nothing and keeps no
 * idempotency key: it does less work than the product, not more.
 *
 * Run by the benches with DATABASE_URL and PORT; prints `listening` when ready.
 */
import { createHash, createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 16 });
const workspaceCount = Number(process.env['WORKSPACES'] ?? 100);
const pepper = 'naive';

const hash = (token: string): string => createHash('sha256').update(token).digest('hex');

await pool.query(`
  drop schema if exists naive cascade;
  create schema naive;
  create table naive.workspaces(id int primary key, balance bigint not null check (balance >= 0));
  create table naive.api_keys(hash text primary key, workspace_id int not null);
  create table naive.ledger(id bigint generated always as identity primary key, workspace_id int not null,
    message_id uuid not null, credits int not null, created_at timestamptz not null default now());
  create table naive.messages(id uuid primary key, workspace_id int not null, phone text not null,
    code_hash text not null, status text not null, attempts int not null default 0,
    expires_at timestamptz not null, created_at timestamptz not null default now());
  create table naive.outbox(id bigint generated always as identity primary key, payload jsonb not null);
`);
for (let id = 1; id <= workspaceCount; id += 1) {
  await pool.query('insert into naive.workspaces values ($1, 1000000000)', [id]);
  await pool.query('insert into naive.api_keys values ($1, $2)', [hash(`naive-key-${id}`), id]);
}

const app = Fastify();

const workspaceOf = async (authorization: string | undefined): Promise<number | undefined> => {
  const token = (authorization ?? '').replace('Bearer ', '');
  const { rows } = await pool.query('select workspace_id from naive.api_keys where hash = $1', [
    hash(token),
  ]);
  return rows[0]?.workspace_id as number | undefined;
};

app.post('/v1/otp/send', async (request, reply) => {
  const workspaceId = await workspaceOf(request.headers.authorization);
  if (workspaceId === undefined) return reply.status(401).send({ error: 'unknown key' });
  const { phone_number: phone } = request.body as { phone_number: string };
  const id = randomUUID();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const codeHash = createHmac('sha256', pepper)
    .update(id + code)
    .digest('hex');
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rowCount } = await client.query(
      'update naive.workspaces set balance = balance - 5 where id = $1 and balance >= 5',
      [workspaceId],
    );
    if (rowCount === 0) {
      await client.query('rollback');
      return await reply.status(402).send({ error: 'insufficient' });
    }
    await client.query(
      'insert into naive.ledger(workspace_id, message_id, credits) values ($1, $2, -5)',
      [workspaceId, id],
    );
    await client.query(
      `insert into naive.messages(id, workspace_id, phone, code_hash, status, expires_at)
       values ($1, $2, $3, $4, 'pending', now() + interval '10 minutes')`,
      [id, workspaceId, phone, codeHash],
    );
    await client.query('insert into naive.outbox(payload) values ($1)', [{ id, phone }]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
  return { id, phone_number: phone, status: 'pending', credit_cost: 5, ...exposed(code) };
});

/** The verify bench has no carrier to read codes from, so the peer hands its code out. */
const exposed = (code: string) => (process.env['EXPOSE_CODE'] ? { code } : {});

app.post('/v1/otp/verify', async (request, reply) => {
  const workspaceId = await workspaceOf(request.headers.authorization);
  if (workspaceId === undefined) return reply.status(401).send({ error: 'unknown key' });
  const { otp_id: id, code } = request.body as { otp_id: string; code: string };
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(
      'select code_hash, status, attempts from naive.messages where id = $1 and workspace_id = $2 for update',
      [id, workspaceId],
    );
    if (rows.length === 0) {
      await client.query('rollback');
      return await reply.status(404).send({ error: 'unknown' });
    }
    const given = createHmac('sha256', pepper)
      .update(id + code)
      .digest('hex');
    const valid = timingSafeEqual(Buffer.from(given), Buffer.from(rows[0].code_hash as string));
    await client.query(
      'update naive.messages set attempts = attempts + 1, status = $2 where id = $1',
      [id, valid ? 'verified' : 'pending'],
    );
    await client.query('commit');
    return { valid, attempts_used: Number(rows[0].attempts) + 1 };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
});

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
process.stdout.write('listening\n');
