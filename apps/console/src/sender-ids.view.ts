import type { SenderId } from '@watchword/contracts';
import { call, operatorPath } from './api.js';
import { badge, button, type Child, element, form, moment } from './element.js';
import { askReason, list, type Stage, type View } from './view.js';

const STATUSES = ['pending', 'approved', 'active', 'suspended', 'rejected'];

export const senderIds: View = {
  name: 'sender-ids',
  title: 'Sender IDs',
  async show(stage) {
    const status = stage.query.get('status') ?? 'pending';
    const filter = { name: 'status', label: 'Status', value: status, choices: STATUSES };
    const choose = form([filter], 'Show', async (values) => stage.go('sender-ids', values));
    stage.into.append(choose);
    const found = await list<SenderId>(stage, {
      path: ['sender-ids'],
      query: { status },
      columns: [
        { title: 'Sender ID', of: ({ sender_id: name }) => element('b', {}, name) },
        { title: 'Status', of: (one) => badge(one.status, one.status === 'suspended') },
        { title: 'Countries', of: reviewsOf },
        { title: 'Company', of: ({ registered_entity: company }) => company },
        { title: 'Document', of: documentOf },
        { title: 'Use', of: ({ use_case: use }) => use },
        { title: 'Sample', of: ({ sample_message: sample }) => sample },
        { title: 'Notes', of: ({ notes }) => notes },
        { title: 'Asked (UTC)', of: ({ created_at: at }) => moment(at) },
        { title: '', of: (one) => actions(one, stage) },
      ],
      none: `No sender ID is ${status}.`,
    });
    stage.into.append(found);
  },
};

/** Each country with its status, because the decision can differ from country to country. */
function reviewsOf({ reviews }: SenderId): HTMLElement {
  const lines = reviews.map((review) => {
    const { country, status, rejection_reason: reason, reviewed_at: at } = review;
    const more = [
      review.dnd_whitelisted ? 'reaches Do Not Disturb numbers' : '',
      at === null ? '' : moment(at),
      reason ?? '',
    ].filter((text) => text !== '');
    const isBad = status === 'suspended' || status === 'rejected';
    return element('div', {}, `${country} `, badge(status, isBad), ` ${more.join(', ')}`);
  });
  return element('div', {}, ...lines);
}

/** Customers wrote the address, so only HTTPS becomes a link, and the site does not learn of the console. */
function documentOf({ registration_doc_url: url }: SenderId): Child {
  if (!url?.startsWith('https://')) return url;
  return element('a', { href: url, target: '_blank', rel: 'noreferrer' }, 'Document');
}

interface Step {
  word: string;
  status: SenderId['status'];
  from: readonly SenderId['status'][];
}

/**
 * The steps that decisions allow. The server refuses a whole call for one country whose review has
 * not this step, so each step is for the countries that have it.
 */
const STEPS: readonly Step[] = [
  { word: 'Approve', status: 'approved', from: ['pending'] },
  { word: 'Reject', status: 'rejected', from: ['pending'] },
  { word: 'Activate', status: 'active', from: ['approved'] },
  { word: 'Suspend', status: 'suspended', from: ['approved', 'active'] },
  // Apart from the first approval, so that it does not end a suspension on the way.
  { word: 'Approve again', status: 'approved', from: ['suspended'] },
];

function actions({ id, sender_id: name, reviews }: SenderId, stage: Stage): HTMLElement {
  const steps = STEPS.map((step) => {
    const fitting = reviews.filter(({ status }) => step.from.includes(status));
    const countries = fitting.map(({ country }) => country);
    return countries.length === 0 ? null : decision(id, name, step, countries, stage);
  });
  return element('span', {}, ...steps);
}

function decision(
  id: string,
  name: string,
  { word, status }: Step,
  countries: readonly string[],
  { run, say, again }: Stage,
): HTMLElement {
  return button(word, () => {
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
  });
}
