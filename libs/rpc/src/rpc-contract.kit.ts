import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Type } from '@sinclair/typebox';
import { call, defineCalls } from '@watchword/contracts';
import { eventually } from '@watchword/testing';
import { InvalidCall, type Rpc, ServiceUnavailable } from './rpc.port.js';

const Text = Type.Object({ text: Type.String() });

const deadlineMs = 60_000;
/** Milliseconds. On a slow machine a call is not even sent before the first of them. */
const SHORT_DEADLINES_MS = [300, 3_000, 30_000];

export const declared = defineCalls('billing', {
  shout: call(Text, Text, { deadlineMs }),
  spend: call(Text, Text, { deadlineMs, idempotent: false }),
});

export const unused = async ({ text }: { text: string }) => ({ text });

/** Both ends of the calls. One object where they are in one process. */
export interface RpcEnds {
  caller: Rpc;
  callee: Rpc;
  close(): Promise<void>;
}

const later = <Value>(value: Value, ms: number) =>
  new Promise<Value>((resolve) => setTimeout(() => resolve(value), ms));

/** Tests that every adapter must pass. */
export function describeRpcContract(name: string, open: () => Promise<RpcEnds>): void {
  describe(`calls ${name}`, () => {
    let ends: RpcEnds;
    const client = () => ends.caller.client(declared);
    const serve = (shout: typeof unused) => ends.callee.serve(declared, { shout, spend: unused });

    beforeEach(async () => {
      ends = await open();
    });

    afterEach(() => ends.close());

    it('reach the implementation, with either side first', async () => {
      const early = client();
      serve(async ({ text }) => ({ text: text.toUpperCase() }));
      expect(await early.shout({ text: 'hello' })).toEqual({ text: 'HELLO' });
      expect(await client().shout({ text: 'again' })).toEqual({ text: 'AGAIN' });
    });

    it('keep the implementation the object that it is', async () => {
      class Shouter {
        private readonly mark = '!';
        async shout({ text }: { text: string }) {
          return { text: text + this.mark };
        }
        spend = unused;
      }
      ends.callee.serve(declared, new Shouter());
      expect(await client().shout({ text: 'hello' })).toEqual({ text: 'hello!' });
    });

    it('give each caller its own answer, with many at once, in any order', async () => {
      serve(({ text }) => later({ text: `${text}!` }, Number(text) % 7));
      const texts = Array.from({ length: 600 }, (_, index) => String(index));
      const answers = await Promise.all(texts.map((text) => client().shout({ text })));
      expect(answers).toEqual(texts.map((text) => ({ text: `${text}!` })));
    });

    it('refuse an invalid request before the implementation sees it, unquoted', async () => {
      let calls = 0;
      serve(async (request) => {
        calls += 1;
        return request;
      });
      const wrong = { text: 2348012345678 } as unknown as { text: string };
      const [error, good] = await Promise.all([
        client()
          .shout(wrong)
          .catch((caught: unknown) => caught),
        client().shout({ text: 'its neighbour' }),
      ]);
      expect(error).toBeInstanceOf(InvalidCall);
      expect((error as Error).message).toBe(
        'billing.shout was called with an invalid request: /text must be string',
      );
      expect(good).toEqual({ text: 'its neighbour' });
      expect(calls).toBe(1);
    });

    it('are refused while no service serves them, with a known outcome, and answered afterwards', async () => {
      const error = await client()
        .spend({ text: 'hello' })
        .catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ServiceUnavailable);
      expect(error).toMatchObject({ service: 'billing', callName: 'spend', outcomeUnknown: false });
      serve(unused);
      const answer = await eventually(() => client().spend({ text: 'hello' }));
      expect(answer).toEqual({ text: 'hello' });
    });

    it('are given up after the deadline, and the late answer is dropped', async () => {
      const late: (() => void)[] = [];
      serve(async (request) => {
        await new Promise<void>((resolve) => late.push(resolve));
        return request;
      });
      for (const shortMs of SHORT_DEADLINES_MS) {
        const shout = call(Text, Text, { deadlineMs: shortMs });
        const impatient = ends.caller.client(defineCalls('billing', { shout }));
        const error = await impatient.shout({ text: 'hello' }).catch((caught: unknown) => caught);
        if (late.length === 0) continue;
        expect(error).toMatchObject({ name: 'ServiceUnavailable', outcomeUnknown: true });
        break;
      }
      expect(late).toHaveLength(1);
      late.forEach((finish) => finish());
      await later(undefined, 1);
    });

    it('pass on what the implementation throws, by name and with its cause', async () => {
      serve(async ({ text }) => {
        const error = new Error(text, { cause: new Error('the connection broke') });
        throw Object.assign(error, { name: 'DatabaseUnavailable', outcomeUnknown: true });
      });
      await expect(client().shout({ text: 'gone' })).rejects.toMatchObject({
        name: 'DatabaseUnavailable',
        message: 'gone',
        outcomeUnknown: true,
        cause: { message: 'the connection broke' },
      });
    });

    it('refuse to serve an incomplete implementation', () => {
      const incomplete = { spend: unused } as unknown as { shout: never; spend: typeof unused };
      expect(() => ends.callee.serve(declared, incomplete)).toThrow(
        'billing.shout is not implemented',
      );
    });
  });
}
