import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { eventually } from '@watchword/testing';
import { declared, describeRpcContract } from './rpc-contract.kit.js';
import { TcpRpc } from './tcp.adapter.js';

const secret = 'a secret of at least thirty-two characters';
const logger = createLogger({ service: 'spec', level: 'silent' });
const opened: TcpRpc[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((rpc) => rpc.close()));
});

function newEnd(
  billing?: readonly string[],
  options: { sharedSecrets?: readonly string[] } = {},
): TcpRpc {
  const addresses = billing ? { billing } : {};
  const rpc = new TcpRpc({ sharedSecrets: [secret], logger, addresses, ...options });
  opened.push(rpc);
  return rpc;
}

async function newReplica(name: string, port = 0) {
  const rpc = newEnd();
  const seen: string[] = [];
  const shout = async ({ text }: { text: string }) => {
    seen.push(text);
    return { text: name };
  };
  rpc.serve(declared, { shout, spend: shout });
  return { rpc, seen, address: `127.0.0.1:${await rpc.listen('127.0.0.1', port)}` };
}

async function portOfNobody(): Promise<string> {
  const { rpc, address } = await newReplica('gone');
  await rpc.close();
  return address;
}

describeRpcContract('over TCP', async () => {
  const callee = newEnd();
  const port = await callee.listen('127.0.0.1', 0);
  return { caller: newEnd([`127.0.0.1:${port}`]), callee, close: async () => {} };
});

const ask = (rpc: TcpRpc, text = 'hello') => rpc.client(declared).spend({ text });

describe('an address that cannot be had', () => {
  it('is refused with the reason of the machine', async () => {
    const { address } = await newReplica('first');
    const taken = Number(address.split(':')[1]);
    await expect(newEnd().listen('127.0.0.1', taken)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(newEnd().listen('192.0.2.1', taken)).rejects.toMatchObject({
      code: 'EADDRNOTAVAIL',
    });
  });
});

describe('replicas', () => {
  it('that are gone are not waited for', async () => {
    const replica = await newReplica('one');
    const caller = newEnd([await portOfNobody(), replica.address, await portOfNobody()]);
    for (let call = 0; call < 5; call += 1) expect(await ask(caller)).toEqual({ text: 'one' });
  });

  it('that leave finish what they have and send the callers on, losing nothing', async () => {
    const [one, two] = [await newReplica('one'), await newReplica('two')];
    const caller = newEnd([one.address, two.address]);
    const outcomes: Promise<unknown>[] = [];
    for (let call = 0; call < 100; call += 1) {
      if (call === 50) outcomes.push(one.rpc.leave().then(() => one.rpc.close()));
      outcomes.push(ask(caller, String(call)));
      await new Promise(setImmediate);
    }
    await Promise.all(outcomes);
    expect([...one.seen, ...two.seen].sort()).toEqual(
      Array.from({ length: 100 }, (_, call) => String(call)).sort(),
    );
  });

  it('that come back are used again', async () => {
    const one = await newReplica('one');
    const caller = newEnd([one.address]);
    expect(await ask(caller)).toEqual({ text: 'one' });
    await one.rpc.close();
    await expect(ask(caller)).rejects.toThrow('billing.spend is unavailable');
    await newReplica('one again', Number(one.address.split(':')[1]));
    expect(await eventually(() => ask(caller))).toEqual({ text: 'one again' });
  });
});

describe('a service that is away', () => {
  it('is reported as unavailable, and certainly did nothing', async () => {
    const caller = newEnd([await portOfNobody()]);
    await expect(ask(caller)).rejects.toMatchObject({
      name: 'ServiceUnavailable',
      outcomeUnknown: false,
    });
  });

  it('is not called without its secret', async () => {
    const replica = await newReplica('one');
    const outsider = newEnd([replica.address], {
      sharedSecrets: ['another secret of thirty-two characters'],
    });
    await expect(ask(outsider)).rejects.toMatchObject({ outcomeUnknown: false });
    expect(replica.seen).toEqual([]);
  });
});

describe('a call whose answer is lost', () => {
  /** A callee that takes the call and dies of it. */
  async function dying() {
    const rpc = newEnd();
    const seen: string[] = [];
    const die = async ({ text }: { text: string }) => {
      seen.push(text);
      await rpc.close();
      return { text };
    };
    rpc.serve(declared, { shout: die, spend: die });
    return { seen, address: `127.0.0.1:${await rpc.listen('127.0.0.1', 0)}` };
  }

  it('is made again elsewhere when it is idempotent', async () => {
    const [first, second] = [await dying(), await newReplica('two')];
    const caller = newEnd([first.address, second.address]);
    for (let call = 0; call < 3; call += 1) {
      expect(await caller.client(declared).shout({ text: 'hello' })).toEqual({ text: 'two' });
    }
  });

  it('is left to the caller when it is not: the outcome is unknown', async () => {
    const first = await dying();
    const caller = newEnd([first.address]);
    await expect(ask(caller)).rejects.toMatchObject({
      name: 'ServiceUnavailable',
      outcomeUnknown: true,
    });
    expect(first.seen).toEqual(['hello']);
  });
});
