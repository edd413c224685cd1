import { expect, it, jest } from '@jest/globals';
import { setContext } from '../../edge/request/request-context.js';

let opened = 0;
jest.unstable_mockModule('./agent-tools.js', () => ({ AgentTools: class {} }));
jest.unstable_mockModule('./agent-endpoint.js', () => ({
  AgentEndpoint: class {
    constructor() {
      opened += 1;
      if (opened === 1) throw new Error('the protocol did not load');
    }

    answer = async () => new Response('{}');
  },
}));
it('agents are answered after a failed opening, which happens once then', async () => {
  const { McpController } = await import('./mcp.controller.js');
  const platform = { config: { trustedProxies: 0 } };
  const none = undefined as never;
  const controller = new McpController(platform as never, none, none, none, none, none, none);
  const sent: unknown[] = [];
  const reply = {
    header: () => reply,
    code: () => reply,
    send: (body: unknown) => sent.push(body),
  };
  const request = { body: {}, headers: {}, raw: {}, id: 'r' } as never;
  const caller = { workspace: { settings: {} } } as never;
  setContext(request, { caller, remaining: null });
  const call = () => controller.call(request, reply as never);
  await expect(call()).rejects.toThrow('did not load');
  await call();
  await call();
  expect([sent, opened]).toEqual([['{}', '{}'], 2]);
});
