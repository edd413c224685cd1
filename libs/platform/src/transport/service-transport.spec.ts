import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Bus } from '@watchword/bus';
import type { Rpc } from '@watchword/rpc';
import { ServiceTransport } from './service-transport.js';

/** A transport with these groups. The test decides when and how each subscription opens. */
function transportOf(...groups: string[]) {
  const opening = new Map<string, PromiseWithResolvers<void>>();
  const open = new Set<string>();
  const bus: Pick<Bus, 'subscribe'> = {
    async subscribe(_topic, { group }) {
      opening.set(group, Promise.withResolvers());
      await opening.get(group)!.promise;
      open.add(group);
      return {
        close: async () => {
          open.delete(group);
        },
      };
    },
  };
  const transport = new ServiceTransport({} as Rpc, bus as Bus);
  for (const group of groups) add(transport, group);
  const listening = new Promise<unknown>((resolve) => transport.listen(resolve));
  return { transport, opening, open, listening };
}

function add(transport: ServiceTransport, group: string, isEvent = true): void {
  const extras = { topic: {}, options: { group } };
  transport.addHandler(group, async () => undefined, isEvent, extras);
}

describe('the subscriptions of a service', () => {
  it('are closed where it stops while they open', async () => {
    const { transport, opening, open } = transportOf('one', 'two');
    opening.get('one')!.resolve();
    await turn();
    const ended = transport.ended();
    await turn();
    expect([...open]).toEqual([]);
    opening.get('two')!.resolve();
    await ended;
    expect([...open]).toEqual([]);
  });

  it('are closed where one of them fails, and the service does not start', async () => {
    const { opening, open, listening } = transportOf('one', 'two', 'three');
    opening.get('one')!.resolve();
    opening.get('two')!.reject(new Error('no such topic'));
    await turn();
    opening.get('three')!.resolve();
    expect(await listening).toMatchObject({ message: 'no such topic' });
    expect([...open]).toEqual([]);
  });
});

describe('a handler', () => {
  it.each([true, false])('is refused where there is one already (event: %s)', (isEvent) => {
    const { transport } = transportOf();
    add(transport, 'dispatch.get', isEvent);
    expect(() => add(transport, 'dispatch.get', isEvent)).toThrow('two handlers');
  });
});
