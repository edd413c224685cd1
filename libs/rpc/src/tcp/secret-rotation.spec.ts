/** One process after the other gets the next secrets, while calls continue. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { waitUntil } from '@watchword/testing';
import { declared } from '../rpc-contract.kit.js';
import { TcpRpc } from '../tcp.adapter.js';

const [OLD, YOUNG] = ['o'.repeat(32), 'y'.repeat(32)];
const logger = createLogger({ service: 'spec', level: 'silent' });
const opened = new Set<TcpRpc>();

afterEach(async () => {
  await Promise.all([...opened].map((rpc) => rpc.close()));
  opened.clear();
});

function open(billing: readonly string[], addresses: readonly string[] = []): TcpRpc {
  const options = { sharedSecrets: [], secrets: { billing }, services: ['billing'] as const };
  const rpc = new TcpRpc({ ...options, logger, addresses: { billing: addresses } });
  opened.add(rpc);
  return rpc;
}

async function openCallee(billing: readonly string[], port = 0) {
  const rpc = open(billing);
  const callee = { rpc, port: 0, calls: 0 };
  const answer = async ({ text }: { text: string }) => {
    callee.calls += 1;
    return { text };
  };
  rpc.serve(declared, { shout: answer, spend: answer });
  callee.port = await rpc.listen('127.0.0.1', port);
  return callee;
}

async function reached(caller: TcpRpc): Promise<TcpRpc> {
  const { spend } = caller.client(declared);
  await waitUntil('a first answer', () => spend({ text: 'first' }).then(Boolean, () => false));
  return caller;
}

it('no call is refused while the old secret gives way to a new one', async () => {
  const callees = [await openCallee([OLD]), await openCallee([OLD])];
  const addresses = callees.map(({ port }) => `127.0.0.1:${port}`);
  let caller = await reached(open([OLD], addresses));
  const refused: unknown[] = [];
  let isOver = false;
  let calls = 0;
  const calling = (async () => {
    for (; !isOver; calls += 1) {
      await caller
        .client(declared)
        .spend({ text: 'hello' })
        .catch((error: unknown) => refused.push(error));
      await sleep(1);
    }
  })();

  const replaceCallee = async (index: number, secrets: readonly string[]) => {
    const { rpc, port } = callees[index]!;
    await rpc.leave();
    await rpc.close();
    const callee = await openCallee(secrets, port);
    callees[index] = callee;
    // A caller that is away retries within 200 ms, and greets.
    await waitUntil('a call of the new process', () => callee.calls > 0);
  };
  const replaceCaller = async (secrets: readonly string[]) => {
    const before = caller;
    caller = await reached(open(secrets, addresses));
    const callsBefore = calls;
    await waitUntil('calls of the new process', () => calls >= callsBefore + 2);
    await before.close();
  };

  for (const secrets of [[YOUNG, OLD], [YOUNG]]) {
    await replaceCallee(0, secrets);
    await replaceCaller(secrets);
    await replaceCallee(1, secrets);
  }
  isOver = true;
  await calling;
  expect(refused).toEqual([]);
  expect(calls).toBeGreaterThan(4);
  await expect(
    open([OLD], addresses).client(declared).spend({ text: 'late' }),
  ).rejects.toMatchObject({ outcomeUnknown: false });
});

it('a caller offers its second secret', async () => {
  const { port } = await openCallee([OLD]);
  const caller = open([YOUNG, OLD], [`127.0.0.1:${port}`]);
  expect(await caller.client(declared).spend({ text: 'hello' })).toEqual({ text: 'hello' });
});
