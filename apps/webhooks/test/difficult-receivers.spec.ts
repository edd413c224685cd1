import { describe, expect, it } from '@jest/globals';
import { answer, TestReceiver } from './receiver.kit.js';
import { ATTEMPT_MS, database, openScene, receiver, service, workspaceId } from './scene.kit.js';
import { delivered, whenSo } from './webhooks.kit.js';

openScene({ deadlineMs: ATTEMPT_MS });

describe('a difficult receiver', () => {
  const failing: [string, (r: TestReceiver) => void, RegExp][] = [
    ['never answers', (r) => (r.respond = () => undefined), /in time/],
    ['hangs up', (r) => (r.respond = (_q, _s, socket) => socket.destroy()), /closed/],
    [
      'hangs up in the middle of its answer',
      (r) =>
        (r.respond = (_q, response, socket) => {
          response.writeHead(200, { 'content-length': '100' });
          response.write('half');
          setTimeout(() => socket.destroy(), 20);
        }),
      /closed/,
    ],
    [
      'never ends its answer',
      (r) =>
        (r.respond = (_q, response) => {
          response.writeHead(200);
          const drip = setInterval(() => response.write('.'), 20);
          response.on('close', () => clearInterval(drip));
        }),
      /in time/,
    ],
    [
      'sends 100 kB of headers',
      (r) => (r.respond = answer(200, { 'x-large': 'x'.repeat(100_000) })),
      /not valid HTTP/,
    ],
    [
      'does not speak HTTP',
      (r) => (r.respond = (_q, _s, socket) => socket.end('SSH-2.0-OpenSSH\r\n')),
      /not valid HTTP/,
    ],
  ];
  for (const [what, arrange, words] of failing) {
    it(`that ${what} gets a retry`, async () => {
      await service.putEndpoint(workspaceId, receiver.origin);
      arrange(receiver);
      await service.fanOut(delivered(workspaceId));
      const delivery = await service.afterAttempts(workspaceId, 1);
      expect(delivery.status).toBe('pending');
      expect(delivery.attempts[0]!.error).toMatch(words);
      expect(receiver.received).toHaveLength(1);
      await whenSo(
        () => receiver.openSockets,
        (open) => open === 0,
      );
    });
  }

  it('that sends more than 16 KiB is cut off there', async () => {
    await service.putEndpoint(workspaceId, receiver.origin);
    receiver.respond = (_request, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1_024, 'y');
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    };
    await service.fanOut(delivered(workspaceId));
    const delivery = await service.afterAttempts(workspaceId, 1);
    expect(delivery.status).toBe('delivered');
    expect(delivery.attempts[0]!.response_body).toBe('y'.repeat(16 * 1_024));
    await whenSo(
      () => receiver.openSockets,
      (open) => open === 0,
    );
  });
});

describe('a secret', () => {
  it('is not in the database in clear', async () => {
    const { secret } = await service.putEndpoint(workspaceId, receiver.origin);
    const { rows } = await database.pool.query(
      'SELECT * FROM webhooks.endpoints WHERE workspace_id = $1',
      [workspaceId],
    );
    const stored = (rows[0] as { secret: Buffer }).secret;
    expect(stored.includes(secret)).toBe(false);
    expect(stored.includes(Buffer.from(secret.slice(6), 'base64'))).toBe(false);
  });
});
