import { call, operatorPath } from './api.js';
import { badge, button, element, facts, form, moment, table } from './element.js';
import { askReason, list, type Stage, type View } from './view.js';

interface Message {
  kind: 'otp' | 'sms' | 'email';
  id: string;
  workspace_id: string;
  /** Emails have recipients instead. */
  phone_number?: string;
  to?: string | string[];
  country_code?: string | null;
  status: string;
  created_at: string;
  revealed: boolean;
  timeline: { status: string; timestamp: string; reason?: string; provider?: string }[];
  provider_attempts: {
    provider: string;
    attempted_at: string;
    ok: boolean;
    error_code?: string | null;
    error_message?: string | null;
  }[];
}

const ENDED_BADLY = new Set(['failed', 'rejected', 'expired', 'bounced', 'complained', 'blocked']);

export const messages: View = {
  name: 'messages',
  title: 'Messages',
  async show(stage) {
    const { into, query } = stage;
    const field = (name: string, label: string) => ({ name, label, value: query.get(name) ?? '' });
    const search = form(
      [
        field('to', 'Number or address'),
        field('id', 'Message ID'),
        field('workspace_id', 'Workspace ID'),
        field('status', 'Status'),
      ],
      'Search',
      async (values) => {
        location.hash = `messages?${new URLSearchParams(values).toString()}`;
      },
    );
    const details = element('section');
    const found = await list<Message>(stage, {
      path: 'messages',
      query: Object.fromEntries(query),
      columns: [
        { title: 'Accepted (UTC)', of: ({ created_at: at }) => moment(at) },
        { title: 'Kind', of: ({ kind }) => kind },
        { title: 'To', of: ({ phone_number: number, to }) => number ?? [to].flat().join(', ') },
        { title: 'Country', of: ({ country_code: country }) => country ?? '' },
        { title: 'Status', of: ({ status }) => badge(status, ENDED_BADLY.has(status)) },
        { title: 'Message', of: ({ id }) => element('code', {}, id) },
      ],
      none: 'No message fits.',
      onOpen: ({ id }) => void stage.run(() => open(id, details, stage, null)),
    });
    into.append(search, found, details);
  },
};

/** Shows one message. Number and text are masked until the operator gives a reason. */
async function open(
  id: string,
  into: HTMLElement,
  stage: Stage,
  reason: string | null,
): Promise<void> {
  const query = reason === null ? {} : { reveal: 'true', reason };
  const message = await call<Message>('GET', operatorPath(`messages/${id}`, query));
  const reveal = button('Show recipient and text', () => {
    const given = askReason('Recipient and text of a customer’s message will be shown.');
    if (given !== null) void stage.run(() => open(id, into, stage, given));
  });
  const timeline = table(
    [
      { title: 'Time (UTC)', of: ({ timestamp }) => moment(timestamp) },
      { title: 'Status', of: ({ status }) => badge(status, ENDED_BADLY.has(status)) },
      { title: 'Carrier', of: ({ provider }) => provider ?? '' },
      { title: 'Reason', of: (hop) => hop.reason ?? '' },
    ],
    message.timeline,
    'Nothing has happened to it yet.',
  );
  const attempts = table(
    [
      { title: 'Time (UTC)', of: ({ attempted_at: at }) => moment(at) },
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
