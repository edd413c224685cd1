import { expect, it } from '@jest/globals';
import {
  asId,
  type ListedMessage,
  type MessageRecord,
  newId,
  type Overview,
  type OverviewFigures,
  type OverviewQuery,
  type Page,
  routes,
} from '@watchword/contracts';
import type { Queryable, Statement } from '@watchword/postgres';
import { eventually, FakeClock } from '@watchword/testing';
import fc from 'fast-check';
import type { TextCommand } from '../src/channels/text-channel.js';
import { UsageJob } from '../src/usage/usage.job.js';
import { UsageStore } from '../src/usage/usage.store.js';
import { deliveryReport, otpCommand, smsCommand } from './commands.kit.js';
import { codeIn, wrongCode } from './dispatch.kit.js';
import { kit, useKit } from './one-dispatch.kit.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 48 * HOUR_MS;
const clock = new FakeClock(START_MS);
useKit({ clock });

type WorkspaceId = TextCommand['workspace_id'];
const workspace = (): WorkspaceId => newId<WorkspaceId>();
const hoursBefore = (hours: number) =>
  new Date((Math.floor(clock.now() / HOUR_MS) - hours) * HOUR_MS).toISOString();

const rollUp = (database: Queryable = kit.database.pool) =>
  new UsageJob(new UsageStore(database), clock).run();

/** Returns the last two days, and the two days before them. */
async function overview(workspace_id: WorkspaceId, more: OverviewQuery = {}): Promise<Overview> {
  const query = {
    ...{ group_by: 'country', interval: 'hour' },
    ...{ from: hoursBefore(47), to: hoursBefore(-1) },
    ...more,
  };
  const { body } = await kit.serve<Overview>(routes.getOverview, { workspace_id, query });
  return body!;
}

async function sent(command: TextCommand): Promise<TextCommand> {
  const now = { ...command, created_at: new Date(clock.now()).toISOString() };
  await kit.send(now);
  await eventually(async () => {
    expect(await kit.stored(now.message_id)).toMatchObject({
      state: expect.not.stringMatching('accepted'),
    });
  });
  return now;
}

const sms = (more: Partial<TextCommand> = {}) => sent(smsCommand(more));
const otp = (more: Partial<TextCommand> = {}) =>
  sent(otpCommand({ created_at: new Date(clock.now()).toISOString(), ...more }));

const report = ({ message_id }: TextCommand, state: 'delivered' | 'failed') =>
  kit.report(
    deliveryReport({
      ...{ provider_message_id: `africas_talking-${message_id}`, state },
      reason: state === 'failed' ? 'absent_subscriber' : null,
      received_at: new Date(clock.now()).toISOString(),
    }),
  );

async function guess(command: TextCommand, isRight: boolean): Promise<void> {
  const submit = kit.africasTalking.submits.find((one) => one.messageId === command.message_id);
  // There is no carrier for test messages, so they fail at once.
  if (!submit) return;
  const code = codeIn(submit);
  const { workspace_id, test_mode, message_id: otp_id } = command;
  const asked = { workspace_id, test_mode, otp_id, code: isRight ? code : wrongCode(code) };
  await kit.calls.verifyOtp({ ...asked, idempotency: null });
}

function cancel({ workspace_id, test_mode, message_id, kind }: TextCommand) {
  const asked = { workspace_id, test_mode, message_id, kind, idempotency: null };
  return kit.calls.cancelMessage(asked as Parameters<typeof kit.calls.cancelMessage>[0]);
}

type Counts = Partial<OverviewFigures>;

/** Counts records as a reader of the list would. */
function counted(records: readonly MessageRecord[]): Counts {
  const count = (fits: (record: MessageRecord) => unknown) => records.filter(fits).length;
  const credits = (fits: (record: MessageRecord) => unknown) =>
    records.filter(fits).reduce((sum, one) => sum + one.credits, 0);
  const isDelivered = ({ delivered_at: at, state }: MessageRecord) =>
    at !== null || state === 'verified';
  return {
    sends: records.length,
    sent: count(({ sent_at: at }) => at !== null),
    delivered: count(isDelivered),
    undelivered: count((one) => ['failed', 'expired'].includes(one.state) && !isDelivered(one)),
    attempted: count((one) => (one.otp?.attempt_count ?? 0) > 0),
    verified: count(({ state }) => state === 'verified'),
    expired: count(({ state }) => state === 'expired'),
    failed: count(({ state }) => state === 'failed'),
    cancelled: count(({ state }) => state === 'cancelled'),
    charged_credits: credits(() => true),
    refunded_credits: credits(({ refunded }) => refunded),
  };
}

async function recordsOf(workspace_id: WorkspaceId, test_mode: boolean): Promise<MessageRecord[]> {
  const asked = { workspace_id, test_mode, query: { limit: 200 } };
  const { body } = await kit.serve<Page<ListedMessage>>(routes.listAllMessages, asked);
  const read = async ({ id, kind }: ListedMessage) =>
    (await kit.calls.getMessage({ workspace_id, test_mode, message_id: asId(id), kind })).message!;
  return Promise.all(body!.data.map(read));
}

/** Returns the same counts of an overview. */
const countsOf = (figures: Counts): Counts =>
  Object.fromEntries(
    Object.keys(counted([])).map((name) => [name, figures[name as keyof OverviewFigures]]),
  );

async function expectAgreement(workspaces: readonly WorkspaceId[]): Promise<void> {
  for (const workspace_id of workspaces) {
    for (const test_mode of [false, true]) {
      await eventually(async () => {
        const { total, points, groups } = await overview(workspace_id, { test_mode });
        const records = await recordsOf(workspace_id, test_mode);
        expect(countsOf(total)).toEqual(counted(records));
        const days = await overview(workspace_id, { test_mode, interval: 'day' });
        expect(countsOf(days.total)).toEqual(counted(records));
        const byHour = Map.groupBy(records, (one) => `${one.created_at.slice(0, 13)}:00:00.000Z`);
        for (const { at, ...figures } of points) {
          expect(countsOf(figures)).toEqual(counted(byHour.get(at) ?? []));
        }
        const byCountry = Map.groupBy(records, (one) => one.country_code);
        for (const { key, ...figures } of groups) {
          expect(countsOf(figures)).toEqual(counted(byCountry.get(key ?? '') ?? []));
        }
      });
    }
  }
}

fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });
const DEEDS = ['delivered', 'failed', 'wrong', 'right', 'cancel', 'refund', 'roll up'] as const;
const step = fc.record({
  deed: fc.oneof(fc.constant('send' as const), fc.constantFrom(...DEEDS)),
  pick: fc.nat(1_000),
  minutes: fc.nat(25),
});

it('an overview agrees with the messages at any time of random lives', async () => {
  const workspaces = [workspace(), workspace()];
  const lives: TextCommand[] = [];
  const steps = fc.sample(step, 90);
  for (const [index, { deed, pick, minutes }] of steps.entries()) {
    clock.advance(minutes * MINUTE_MS + 1);
    const life = lives[pick % Math.max(lives.length, 1)];
    if (deed === 'send' || !life) {
      const more = {
        workspace_id: workspaces[pick % 2]!,
        test_mode: pick % 3 === 0,
        network: pick % 5 === 0 ? null : 'mtn_ng',
      };
      lives.push(await (pick % 7 < 4 ? otp(more) : sms(more)));
    } else if (deed === 'roll up') await rollUp();
    else if (deed === 'delivered' || deed === 'failed') await report(life, deed);
    else if (deed === 'refund') await kit.refund(life.message_id);
    else if (deed === 'cancel') await cancel(life);
    else if (life.kind === 'otp') await guess(life, deed === 'right');
    if (index % 10 === 9) await expectAgreement(workspaces);
  }
  clock.advance(3 * HOUR_MS);
  await rollUp();
  await expectAgreement(workspaces);
});

it('a late receipt counts at once, and stays when the hour is counted again', async () => {
  const message = await sms({ workspace_id: workspace() });
  clock.advance(2 * HOUR_MS);
  await rollUp();
  expect((await overview(message.workspace_id)).total).toMatchObject({ sends: 1, delivered: 0 });
  await report(message, 'delivered');
  const late = await overview(message.workspace_id);
  expect(late.total).toMatchObject({ sends: 1, delivered: 1, delivery_rate: 1 });
  const { p50 } = late.total.delivery_seconds;
  expect(Math.abs(p50! / 7_200 - 1)).toBeLessThan(0.045);
  await rollUp();
  expect(await overview(message.workspace_id)).toEqual(late);
});

it('an overview by day has the same figures as by hour, from the sums of days', async () => {
  const { workspace_id } = await sms({ workspace_id: workspace() });
  const late = await sms({ workspace_id });
  clock.advance(25 * HOUR_MS);
  await sms({ workspace_id });
  await rollUp();
  clock.advance(25 * HOUR_MS);
  await rollUp();
  const read = async () => {
    const days = await overview(workspace_id, { interval: 'day', from: hoursBefore(60) });
    const period = { from: days.from, to: days.to };
    const { total, before, groups } = await overview(workspace_id, period);
    expect(days).toMatchObject({ total, before, groups });
    return total;
  };
  const { pool } = kit.database;
  const { rows } = await pool.query('SELECT sends FROM daily_usage WHERE workspace_id = $1', [
    workspace_id,
  ]);
  expect(rows).toEqual([{ sends: 2 }, { sends: 1 }]);
  expect(await read()).toMatchObject({ sends: 3, delivered: 0 });
  await report(late, 'delivered');
  expect(await read()).toMatchObject({ sends: 3, delivered: 1 });
  await rollUp();
  expect(await read()).toMatchObject({ sends: 3, delivered: 1 });
  await pool.query('DELETE FROM daily_usage');
  expect(await read()).toMatchObject({ sends: 3, delivered: 1 });
});

it('a day whose last hours had no messages gets its sums too', async () => {
  const { workspace_id } = await sms({ workspace_id: workspace() });
  clock.advance(3 * HOUR_MS);
  await rollUp();
  clock.advance(24 * HOUR_MS);
  await rollUp();
  const text = 'SELECT sends FROM daily_usage WHERE workspace_id = $1';
  expect((await kit.database.pool.query(text, [workspace_id])).rows).toEqual([{ sends: 1 }]);
});

it('the period before has its own figures', async () => {
  const { workspace_id } = await sms({ workspace_id: workspace() });
  clock.advance(2 * HOUR_MS);
  await sms({ workspace_id });
  await sms({ workspace_id });
  const period = { from: hoursBefore(1), to: hoursBefore(-1) };
  const { total, before, groups, points } = await overview(workspace_id, period);
  expect([total.sends, before.sends, points.map(({ sends }) => sends)]).toEqual([2, 1, [0, 2]]);
  expect(groups).toMatchObject([{ key: 'NG', sends: 2, before: { sends: 1 } }]);
});

it('credits contain those of resends, with the refunds of resends that failed', async () => {
  const code = await otp({ workspace_id: workspace(), credits: 5 });
  const resends = [
    { credits: 4, reason: null },
    { credits: 3, reason: 'no_route' },
    { isReroute: true, reason: null },
  ];
  const update = 'UPDATE messages SET resends = $2 WHERE id = $1';
  await kit.database.pool.query(update, [code.message_id, JSON.stringify(resends)]);
  expect((await overview(code.workspace_id)).total).toMatchObject({
    charged_credits: 12,
    refunded_credits: 3,
    spent_credits: 9,
  });
});

it('an overview shows neither another workspace nor the other mode', async () => {
  const live = await sms({ workspace_id: workspace() });
  const test = await sms({ workspace_id: live.workspace_id, test_mode: true, network: 'glo_ng' });
  await sms({ workspace_id: workspace(), network: 'airtel_ng' });
  const keys = async (test_mode: boolean) =>
    (await overview(test.workspace_id, { test_mode, group_by: 'network' })).groups.map(
      ({ key, sends }) => [key, sends],
    );
  for (const hours of [0, 2]) {
    clock.advance(hours * HOUR_MS);
    await rollUp();
    expect(await keys(false)).toEqual([['mtn_ng', 1]]);
    expect(await keys(true)).toEqual([['glo_ng', 1]]);
  }
});

it('an overview of hours that have ended reads no message', async () => {
  const { workspace_id } = await sms({ workspace_id: workspace() });
  clock.advance(2 * HOUR_MS);
  await rollUp();
  let plan = '';
  const explaining = {
    query: async ({ text }: Statement, values: unknown[]) => {
      await kit.database.pool.transaction(async (transaction) => {
        await transaction.query('SET LOCAL enable_seqscan = off');
        const explained = `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ${text}`;
        const { rows } = await transaction.query<Record<string, string>>(explained, values);
        plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      return { rows: [{}] };
    },
  } as unknown as Queryable;
  const [from, to] = [new Date(hoursBefore(24)), new Date(hoursBefore(-1))];
  const question = { workspaceId: workspace_id, testMode: false, from, to, before: from };
  const grouping = { interval: 'hour', groupBy: 'carrier', channel: null } as const;
  await new UsageStore(explaining).overview({ ...question, ...grouping });
  const reads = plan.split('\n').filter((line) => /Scan.* on (messages|emails)/.test(line));
  expect(reads.length).toBeGreaterThan(0);
  for (const read of reads) {
    expect(read).toMatch(/Index.* Scan|Bitmap/);
    expect(read).toMatch(/never executed|rows=0(\.00)? loops/);
  }
  expect(plan).not.toMatch(/Seq Scan on (messages|emails)/);
  expect(plan).toMatch(/hourly_usage_of_workspace/);
});

it('a roll-up outlives its messages, and later changes of what is left do not count', async () => {
  const message = await sms({ workspace_id: workspace() });
  await report(message, 'delivered');
  clock.advance(2 * HOUR_MS);
  await rollUp();
  const before = await overview(message.workspace_id);
  const { pool } = kit.database;
  await pool.query(
    `INSERT INTO progress (job, reached) VALUES ('retention-records', $1)
     ON CONFLICT (job) DO UPDATE SET reached = excluded.reached`,
    [new Date(clock.now())],
  );
  await pool.query('DELETE FROM messages');
  await pool.query('INSERT INTO changed_hours VALUES ($1, $2)', [
    message.workspace_id,
    hoursBefore(2),
  ]);
  expect(await overview(message.workspace_id)).toEqual(before);
  await rollUp();
  expect(await overview(message.workspace_id)).toEqual(before);
});
