import { describe, expect, it } from '@jest/globals';
import { Type } from '@sinclair/typebox';
import { call, defineCalls } from '@watchword/contracts';
import { InProcessRpc } from './in-process.adapter.js';
import { InvalidCall, ServiceUnavailable } from './rpc.port.js';

const Text = Type.Object({ text: Type.String() });

const declared = defineCalls('billing', {
  shout: call(Text, Text, { deadlineMs: 150 }),
});

const shout = async ({ text }: { text: string }) => ({ text: text.toUpperCase() });

describe('calls within a process', () => {
  it('reaches the implementation, whichever side came first', async () => {
    const rpc = new InProcessRpc();
    const client = rpc.client(declared);
    rpc.serve(declared, { shout });
    expect(await client.shout({ text: 'hello' })).toEqual({ text: 'HELLO' });
    expect(await rpc.client(declared).shout({ text: 'again' })).toEqual({ text: 'AGAIN' });
  });

  it('keeps the implementation the object that it is', async () => {
    class Shouter {
      private readonly mark = '!';
      async shout({ text }: { text: string }) {
        return { text: text + this.mark };
      }
    }
    const rpc = new InProcessRpc();
    rpc.serve(declared, new Shouter());
    expect(await rpc.client(declared).shout({ text: 'hello' })).toEqual({ text: 'hello!' });
  });

  it('refuses an invalid request before the implementation sees it, without quoting it', async () => {
    let calls = 0;
    const rpc = new InProcessRpc();
    rpc.serve(declared, {
      shout: async (request) => {
        calls += 1;
        return request;
      },
    });
    const wrong = { text: 2348012345678 } as unknown as { text: string };
    const error = await rpc
      .client(declared)
      .shout(wrong)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidCall);
    expect((error as Error).message).toBe(
      'billing.shout was called with an invalid request: /text must be string',
    );
    expect(calls).toBe(0);
  });

  it('is unavailable while nobody serves, and available afterwards', async () => {
    const rpc = new InProcessRpc();
    const client = rpc.client(declared);
    const error = await client.shout({ text: 'hello' }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ServiceUnavailable);
    expect(error).toMatchObject({ service: 'billing', callName: 'shout' });
    rpc.serve(declared, { shout });
    expect(await client.shout({ text: 'hello' })).toEqual({ text: 'HELLO' });
  });

  it('gives up after the deadline, and the late answer disturbs nobody', async () => {
    const rpc = new InProcessRpc();
    const late: (() => void)[] = [];
    rpc.serve(declared, {
      shout: async (request) => {
        await new Promise<void>((resolve) => late.push(resolve));
        return request;
      },
    });
    const startedAt = performance.now();
    const outcome = rpc.client(declared).shout({ text: 'hello' });
    await expect(outcome).rejects.toThrow(ServiceUnavailable);
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThanOrEqual(140);
    expect(tookMs).toBeLessThan(1_000);
    late.forEach((finish) => finish());
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('passes on what the implementation throws', async () => {
    class CreditsMissing extends Error {}
    const rpc = new InProcessRpc();
    rpc.serve(declared, { shout: () => Promise.reject(new CreditsMissing('two short')) });
    await expect(rpc.client(declared).shout({ text: 'hello' })).rejects.toThrow(CreditsMissing);
  });

  it('refuses to serve an incomplete implementation', () => {
    const incomplete = {} as unknown as { shout: typeof shout };
    expect(() => new InProcessRpc().serve(declared, incomplete)).toThrow(
      'billing.shout is not implemented',
    );
  });
});
