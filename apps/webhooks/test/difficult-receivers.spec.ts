import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
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
  it('decisions 4: signs for a day after it was replaced', async () => {
    const { secret: old } = await service.putEndpoint(workspaceId, receiver.origin);
    const rotated = await service.webhooks.calls.rotateWorkspaceSecret({
      workspace_id: workspaceId,
    });
    if (!('secret' in rotated)) throw new Error('no endpoint');
    expect(rotated.previous_expires_at).toBe('2026-01-06T09:00:00.000Z');
    expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await service.fanOut(delivered(workspaceId));
    await service.afterAttempts(workspaceId, 1);
    service.clock.advance(24 * 60 * 60_000);
    await service.fanOut(delivered(workspaceId));
    await whenSo(
      () => receiver.received.length,
      (count) => count === 2,
    );
    const [during, after] = receiver.received;
    const signatures = (header: unknown) => String(header).match(/v1[=,][^,\s]+/g);
    expect(signatures(during!.headers['svc-signature'])).toHaveLength(2);
    expect(signatures(during!.headers['webhook-signature'])).toHaveLength(2);
    expect(signatures(after!.headers['svc-signature'])).toHaveLength(1);
    expect(signatures(after!.headers['webhook-signature'])).toHaveLength(1);
    const plain = (secret: string) =>
      createHmac('sha256', secret).update(during!.body).digest('hex');
    expect(during!.headers['x-svc-signature']).toBe(plain(rotated.secret));
    // The library refuses old timestamps by the system's clock, so only the signature is compared.
    for (const [secret, index] of [
      [rotated.secret, 0],
      [old, 1],
    ] as const) {
      const expected = new Webhook(secret).sign(
        String(during!.headers['webhook-id']),
        new Date(Number(during!.headers['webhook-timestamp']) * 1_000),
        during!.body.toString('utf8'),
      );
      expect(String(during!.headers['webhook-signature']).split(' ')[index]).toBe(expected);
    }
  });

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
