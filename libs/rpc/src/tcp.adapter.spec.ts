import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { eventually, waitUntil } from '@watchword/testing';
import { declared, describeRpcContract, unused } from './rpc-contract.kit.js';
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
  it('are called in turn', async () => {
    const replicas = await Promise.all([newReplica('one'), newReplica('two')]);
    const caller = newEnd(replicas.map(({ address }) => address));
    await ask(caller);
    expect(caller.reachable()).toEqual({ billing: true });
    const two = async () => [(await ask(caller)).text, (await ask(caller)).text];
    // The second may still be connecting.
    await eventually(async () => expect((await two()).toSorted()).toEqual(['one', 'two']));
    for (let pair = 0; pair < 3; pair += 1) {
      expect((await two()).toSorted()).toEqual(['one', 'two']);
    }
  });

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

  it('that leave answer what takes longer than their callers need to notice', async () => {
    const one = newEnd();
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = async ({ text }: { text: string }) => {
      begun.resolve();
      await ended.promise;
      return { text };
    };
    one.serve(declared, { shout: slow, spend: slow });
    const address = `127.0.0.1:${await one.listen('127.0.0.1', 0)}`;
    const caller = newEnd([address]);
    const answer = ask(caller, 'slow');
    await begun.promise;
    const left = one.leave().then(() => one.close());
    await waitUntil('the caller to notice', () => caller.reachable()['billing'] === false);
    ended.resolve();
    await left;
    expect(await answer).toEqual({ text: 'slow' });
  });

  it('behind one address are called on, as the address leads to another', async () => {
    const [one, two] = [await newReplica('one'), await newReplica('two')];
    let to = one.address;
    const door = createServer((near) => {
      const far = connect(Number(to.split(':')[1]), '127.0.0.1');
      for (const socket of [near, far]) socket.on('error', () => socket.destroy());
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    const caller = newEnd([`127.0.0.1:${(door.address() as AddressInfo).port}`]);
    expect(await ask(caller)).toEqual({ text: 'one' });
    to = two.address;
    const left = one.rpc.leave().then(() => one.rpc.close());
    for (let call = 0; call < 5; call += 1) expect(await ask(caller)).toEqual({ text: 'two' });
    await Promise.all([left, caller.close(), two.rpc.close()]);
    door.close();
  });

  it('of another release that do not know a call stay available for the others', async () => {
    const replicas = [newEnd(), newEnd()];
    const addresses = await Promise.all(
      replicas.map(async (one) => {
        const { shout: _, ...former } = declared.calls;
        one.serve({ ...declared, calls: former }, { spend: async ({ text }) => ({ text }) });
        return `127.0.0.1:${await one.listen('127.0.0.1', 0)}`;
      }),
    );
    const caller = newEnd(addresses);
    await ask(caller);
    let isDecided = false;
    const unknown = caller.client(declared).shout({ text: 'new' });
    unknown.catch(() => undefined).finally(() => (isDecided = true));
    while (!isDecided) {
      expect(caller.reachable()).toEqual({ billing: true });
      expect(await ask(caller)).toEqual({ text: 'hello' });
      await sleep(5);
    }
    await expect(unknown).rejects.toMatchObject({
      name: 'ServiceUnavailable',
      outcomeUnknown: false,
    });
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
    const stranger = newEnd([replica.address], {
      sharedSecrets: ['another secret of thirty-two characters'],
    });
    await expect(ask(stranger)).rejects.toMatchObject({ outcomeUnknown: false });
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

describe('calls of one turn', () => {
  it('arrive in one turn, as one frame', async () => {
    const callee = newEnd();
    const turns: number[] = [];
    let turn = 0;
    const note = async (request: { text: string }) => {
      turns.push(turn);
      setImmediate(() => (turn += 1));
      return request;
    };
    callee.serve(declared, { shout: note, spend: unused });
    const caller = newEnd([`127.0.0.1:${await callee.listen('127.0.0.1', 0)}`]);
    const { shout } = caller.client(declared);
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => shout({ text })));
    expect(turns).toEqual([0, 0, 0, 0]);
  });
});
