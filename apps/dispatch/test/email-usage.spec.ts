import { expect, it } from '@jest/globals';
import { type Overview, routes } from '@watchword/contracts';
import { UsageJob } from '../src/usage/usage.job.js';
import { UsageStore } from '../src/usage/usage.store.js';
import { emailReport, NO_SUCH_USER, useEmailKit, WORKSPACE } from './email.kit.js';

const HOUR_MS = 3_600_000;
const emails = useEmailKit();
const { command } = emails;

const hourAt = (ms: number) => new Date(Math.floor(ms / HOUR_MS) * HOUR_MS).toISOString();

async function overview(): Promise<Overview> {
  const now = emails.clock.now();
  const query = {
    ...{ from: hourAt(now - 5 * HOUR_MS), to: hourAt(now + HOUR_MS) },
    ...{ group_by: 'carrier', channel: 'email' },
  };
  const asked = { workspace_id: WORKSPACE, query };
  return (await emails.kit.serve<Overview>(routes.getOverview, asked)).body!;
}

const rollUp = () => new UsageJob(new UsageStore(emails.kit.database.pool), emails.clock).run();

it('an overview counts an email once for each recipient, also after a late report', async () => {
  emails.world.smtp.answer = ({ to }) =>
    to === 'gone@example.com'
      ? NO_SUCH_USER
      : { outcome: 'accepted', providerMessageId: 'x', delivered: false };
  const sent = command(['ada@example.com', 'gone@example.com', 'bob@example.com'], {
    created_at: new Date(emails.clock.now()).toISOString(),
  });
  await emails.kit.send(sent);
  await emails.until(sent.message_id, 'bounced', 1);
  await emails.until(sent.message_id, 'sent', 0);
  await emails.until(sent.message_id, 'sent', 2);
  const counts = { sends: 3, sent: 2, undelivered: 1, failed: 1, charged_credits: 3 };
  const open = await overview();
  expect(open.total).toMatchObject({ ...counts, delivered: 0, delivery_rate: 0 });
  expect(open.groups).toMatchObject([{ key: 'smtp', sends: 3 }]);

  emails.clock.advance(2 * HOUR_MS);
  await rollUp();
  const occurred_at = new Date(emails.clock.now()).toISOString();
  const times = { occurred_at, received_at: occurred_at };
  await emails.kit.emailReports(emailReport(sent.message_id, 'delivered', times));
  await emails.until(sent.message_id, 'delivered', 0);
  const late = await overview();
  expect(late.total).toMatchObject({ ...counts, delivered: 1, delivery_rate: 0.5 });
  await rollUp();
  expect(await overview()).toEqual(late);
});
