import type { SenderId } from '@watchword/contracts';
import { call, operatorPath } from './api.js';
import { badge, button, element, form, moment } from './element.js';
import { askReason, list, type Stage, type View } from './view.js';

const STATUSES = ['pending', 'approved', 'active', 'suspended', 'rejected'];

export const senderIds: View = {
  name: 'sender-ids',
  title: 'Sender IDs',
  async show(stage) {
    const status = stage.query.get('status') ?? 'pending';
    const filter = { name: 'status', label: 'Status', value: status, choices: STATUSES };
    const choose = form([filter], 'Show', async (values) => stage.go('sender-ids', values));
    const found = await list<SenderId>(stage, {
      path: ['sender-ids'],
      query: { status },
      columns: [
        { title: 'Sender ID', of: ({ sender_id: name }) => element('b', {}, name) },
        { title: 'Status', of: (one) => badge(one.status, one.status === 'suspended') },
        { title: 'Countries', of: ({ countries }) => countries.join(', ') },
        { title: 'Company', of: ({ registered_entity: company }) => company },
        { title: 'Use', of: ({ use_case: use }) => use },
        { title: 'Sample', of: ({ sample_message: sample }) => sample },
        { title: 'Asked (UTC)', of: ({ created_at: at }) => moment(at) },
        { title: '', of: (one) => actions(one, stage) },
      ],
      none: `No sender ID is ${status}.`,
    });
    stage.into.append(choose, found);
  },
};

/** The steps that decisions allow from a status. The server refuses any other. */
const STEPS: Record<string, [word: string, status: string][]> = {
  pending: [
    ['Approve', 'approved'],
    ['Reject', 'rejected'],
  ],
  approved: [
    ['Activate', 'active'],
    ['Suspend', 'suspended'],
  ],
  active: [['Suspend', 'suspended']],
  suspended: [['Approve', 'approved']],
};

function actions(one: SenderId, { run, say, again }: Stage): HTMLElement {
  const { id, sender_id: name, countries } = one;
  const steps = (STEPS[one.status] ?? []).map(([word, status]) =>
    button(word, () => {
      const question = `${word} ${name} in ${countries.join(', ')}?`;
      const needsReason = status === 'rejected' || status === 'suspended';
      const reason = needsReason ? askReason(question) : undefined;
      if (reason === null || (!needsReason && !confirm(question))) return;
      void run(async () => {
        const body = { countries, status, ...(reason === undefined ? {} : { reason }) };
        await call('POST', operatorPath(['sender-ids', id, 'reviews']), body);
        say(`${name} is ${status} in ${countries.join(', ')}.`);
        again();
      });
    }),
  );
  return element('span', {}, ...steps);
}
