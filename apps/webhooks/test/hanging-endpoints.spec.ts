import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type WorkspaceId } from '@watchword/contracts';
import type { TestDatabase } from '@watchword/testing';
import { TestReceiver } from './receiver.kit.js';
import { delivered, openTestDatabase, TestProcess, whenSo } from './webhooks.kit.js';

const SICK = 600;
/** Milliseconds. An endpoint that hangs keeps its place for longer than the test may take. */
const DEADLINE_MS = 600_000;

let database: TestDatabase;
let receiver: TestReceiver;
let service: TestProcess;
let sick: WorkspaceId[];

beforeEach(async () => {
  [database, receiver] = await Promise.all([openTestDatabase(), TestReceiver.start()]);
  receiver.respond = (request, response) => {
    if (request.path !== '/hang') response.end();
  };
  service = await TestProcess.open(database, { deadlineMs: DEADLINE_MS });
  sick = Array.from({ length: SICK }, () => newId());
  for (const workspace of sick) await service.putEndpoint(workspace, `${receiver.origin}/hang`);
});

afterEach(async () => {
  await receiver?.stop();
  await service?.stop();
  await database?.drop();
});

const to = (path: string) => receiver.received.filter((request) => request.path === path).length;

/** Waits until an unknown endpoint has all its deliveries. */
async function newcomer(path: string, count: number): Promise<void> {
  const workspace = newId();
  await service.putEndpoint(workspace, receiver.origin + path);
  await service.fanOut(...Array.from({ length: count }, () => delivered(workspace)));
  await whenSo(
    () => to(path),
    (received) => received === count,
  );
}

describe('a new endpoint beside 600 that hang', () => {
  it('decisions 8: is served promptly, whether they are unknown or known', async () => {
    await service.fanOut(...sick.flatMap((id) => [delivered(id), delivered(id), delivered(id)]));
    await newcomer('/cold', 1);
    await whenSo(
      () => to('/hang'),
      (received) => received === SICK,
    );
    await newcomer('/warm', 1);
    await newcomer('/many', 200);
    // Each was on probation once, and none had a second attempt meanwhile.
    expect(to('/hang')).toBe(SICK);
  });
});
