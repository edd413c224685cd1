import { expect, it } from '@jest/globals';
import { newId, type RecentSend } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import { RecentSends } from './recent-sends.js';

const walls = { workspace_id: newId(), test_mode: null };

/** Billing's last sends, and the lists of emails that dispatch answers in turn. */
function recentSends(accepted: RecentSend[], lists: string[][]) {
  const asked: unknown[] = [];
  const recent = new RecentSends(
    {
      listRecentSends: async (request) => {
        asked.push(request.emails);
        return { data: accepted };
      },
    },
    {
      getMessage: () => Promise.reject(new Error('no text is asked for')),
      listEmails: async () => ({ data: (lists.shift() ?? []).map((id) => ({ id })) as never }),
    },
    new FakeClock(),
  );
  recent.patienceClock = new FakeClock();
  return { recent, asked };
}

it('a list of emails waits until dispatch has the last ones', async () => {
  const [one, other] = [newId(), newId()];
  const lists = [[], [one], [one, other], ['left']];
  const { recent, asked } = recentSends(
    [one, other].map((id) => ({ message_id: id, kind: 'email' as const })),
    lists,
  );
  await recent.arrivalOfEmails(walls);
  expect([asked, lists]).toEqual([[true], [['left']]]);
});
