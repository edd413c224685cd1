import { describe, expect, it } from '@jest/globals';
import { openGateway } from './gateway.kit.js';
import { gateway, useGateway } from './one-gateway.kit.js';

useGateway();

describe('the way in', () => {
  it('does not exist while no token is set', async () => {
    const closed = await openGateway({ OPERATOR_TOKEN: '' });
    try {
      for (const [method, path] of [
        ['GET', '/settings'],
        ['POST', '/workspaces'],
        ['DELETE', '/settings'],
        ['GET', '/nope'],
      ] as const) {
        const { status, body } = await closed.operator(method, path);
        expect([status, body.error.type]).toEqual([404, 'not_found']);
      }
    } finally {
      await closed.close();
    }
  });

  it('is limited for guessers, not for the operator', async () => {
    const guess = () =>
      gateway.operator('GET', '/settings', undefined, { authorization: 'Bearer guess' });
    const answers: number[] = [];
    for (let index = 0; index < 25; index += 1) answers.push((await guess()).status);
    expect(answers.at(-1)).toBe(429);
    expect((await gateway.operator('GET', '/settings')).status).toBe(200);
  });
});
