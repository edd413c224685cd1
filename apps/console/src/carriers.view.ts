import type { CarrierRecord, Page } from '@watchword/contracts';
import { call, operatorPath } from './api.js';
import { badge, button, element, table } from './element.js';
import type { Stage, View } from './view.js';

export const carriers: View = {
  name: 'carriers',
  title: 'Carriers',
  async show(stage) {
    const { data } = await call<Page<CarrierRecord>>('GET', operatorPath(['carriers']));
    const shown = table(
      [
        { title: 'Account', of: ({ id }) => id },
        { title: 'State', of: ({ state }) => badge(state, state === 'drained') },
        { title: 'Circuit', of: ({ circuit }) => badge(circuit, circuit !== 'closed') },
        { title: 'Submits a minute', of: ({ submits_per_minute: submits }) => String(submits) },
        { title: 'Failed', of: ({ failed_share: share }) => `${Math.round(share * 100)} %` },
        {
          title: 'Reports without a message',
          of: ({ reports_unmatched: reports = 0 }) => String(reports),
        },
        { title: 'Preferred in', of: ({ preferred_in: countries }) => countries.join(', ') },
        { title: 'Reason', of: ({ reason }) => reason ?? '' },
        { title: '', of: (account) => switchOf(account, stage) },
      ],
      data,
      'No carrier account is configured.',
    );
    const help = 'A drained account gets no new messages; those under way end as they would.';
    stage.into.append(shown, element('p', { className: 'quiet' }, help));
  },
};

function switchOf({ id, state }: CarrierRecord, { run, say, again }: Stage): HTMLElement {
  const [word, wanted] = state === 'active' ? ['Drain', 'drained'] : ['Activate', 'active'];
  return button(word, () => {
    if (!confirm(`${word} ${id}?`)) return;
    void run(async () => {
      await call('PATCH', operatorPath(['carriers', id]), { state: wanted });
      say(`${id} is ${wanted}.`);
      again();
    });
  });
}
