import type { OperatorMessage } from '@watchword/contracts';
import { call, operatorPath } from './api.js';
import { badge, button, element, facts, form, moment, table } from './element.js';
import { askReason, list, type Stage, type View } from './view.js';

const FILTERS = ['id', 'workspace_id', 'status'] as const;
const ENDED_BADLY = new Set(['failed', 'rejected', 'expired', 'bounced', 'complained', 'blocked']);

export const messages: View = {
  name: 'messages',
  title: 'Messages',
  async show(stage) {
    const { into, query, kept } = stage;
    const field = (name: string, label: string) => ({ name, label, value: query.get(name) ?? '' });
    const search = form(
      [
        { name: 'to', label: 'Number or address', value: kept['to'] ?? '' },
        field('id', 'Message ID'),
        field('workspace_id', 'Workspace ID'),
        field('status', 'Status'),
      ],
      'Search',
      async ({ to, ...values }) => stage.go('messages', values, to === undefined ? {} : { to }),
    );
    into.append(search);
    const details = element('section');
    const found = await list<OperatorMessage>(stage, {
      path: ['messages'],
      // Nothing else of the address: a link must not reveal anything.
      query: {
        ...Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? undefined])),
        to: kept['to'],
      },
      columns: [
        { title: 'Accepted (UTC)', of: ({ created_at: at }) => moment(at) },
        { title: 'Kind', of: ({ kind }) => kind },
        { title: 'To', of: recipientOf },
        { title: 'Country', of: (one) => (one.kind === 'email' ? '' : one.country_code) },
        { title: 'Status', of: ({ status }) => badge(status, ENDED_BADLY.has(status)) },
        { title: 'Message', of: ({ id }) => element('code', {}, id) },
      ],
      none: 'No message fits.',
      onOpen: ({ id }) => void stage.run(() => open(id, details, stage, null)),
    });
    into.append(found, details);
  },
};

type Hop = OperatorMessage['timeline'][number];
type Attempt = OperatorMessage['provider_attempts'][number];

function recipientOf(message: OperatorMessage): string {
  return message.kind === 'email' ? message.to.join(', ') : message.phone_number;
}

/** Of an email each recipient has steps of its own. */
function recipientIn(step: Hop | Attempt): string {
  return ('recipient' in step && step.recipient) || '';
}

let asked = 0;

/** Shows one message. Number and text are masked until the operator gives a reason. */
async function open(
  id: string,
  into: HTMLElement,
  stage: Stage,
  reason: string | null,
): Promise<void> {
  const query = reason === null ? {} : { reveal: 'true', reason };
  const mine = (asked += 1);
  const message = await call<OperatorMessage>('GET', operatorPath(['messages', id], query));
  // Another message was opened meanwhile.
  if (mine !== asked) return;
  const reveal = button('Show what is hidden', () => {
    const given = askReason('Recipient and text or subject of a message will be shown.');
    if (given !== null) void stage.run(() => open(id, into, stage, given));
  });
  const timeline = table<Hop>(
    [
      { title: 'Time (UTC)', of: ({ timestamp }) => moment(timestamp) },
      { title: 'Status', of: ({ status }) => badge(status, ENDED_BADLY.has(status)) },
      { title: 'Recipient', of: recipientIn },
      { title: 'Carrier', of: ({ provider }) => provider ?? '' },
      { title: 'Reason', of: (hop) => hop.reason ?? '' },
    ],
    message.timeline,
    'Nothing has happened to it yet.',
  );
  const attempts = table<Attempt>(
    [
      { title: 'Time (UTC)', of: ({ attempted_at: at }) => moment(at) },
      { title: 'Recipient', of: recipientIn },
      { title: 'Carrier', of: ({ provider }) => provider },
      { title: 'Answer', of: ({ ok }) => badge(ok ? 'accepted' : 'failed', !ok) },
      {
        title: 'Error',
        of: (one) => [one.error_code, one.error_message].filter(Boolean).join(' '),
      },
    ],
    message.provider_attempts,
    'No carrier was asked.',
  );
  into.replaceChildren(
    element('h2', {}, `Message ${id}`),
    message.revealed ? '' : reveal,
    element('h3', {}, 'Timeline'),
    timeline,
    element('h3', {}, 'Attempts'),
    attempts,
    element('h3', {}, 'Record'),
    facts(message),
  );
  into.scrollIntoView({ block: 'start' });
}
