import { Anchor, Select, Text, TextInput } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { answerOf, type Dashboard, dashboard, type MessageStatus, type Mode } from '../api/client';
import type { LiveEvent } from '../live';
import { EndlessRows } from '../parts/endless';
import { KINDS } from '../parts/kinds';
import type { Column, Page } from '../parts/list';
import { SearchForm, StatusFilter } from '../parts/search-form';
import { Moment, Status } from '../parts/show';
import { Empty, PageTitle } from '../parts/states';
import { useMode } from '../session';
import { useFormats, useTexts } from '../texts';

type Found = Dashboard['FoundOwnMessage'];

/** One line for each channel's record. */
interface ListedMessage {
  id: string;
  kind: Found['kind'];
  status: string;
  to: string;
  country: string;
  content: string;
  credits: number | null;
  at: string;
}

const TEXTS = {
  title: ['Messages', 'Messages'],
  kind: ['Channel', 'Canal'],
  all: ['All', 'Tous'],
  ...KINDS,
  to: ['Recipient or ID', 'Destinataire ou identifiant'],
  toHelp: ['0803… or an address', '0803… ou une adresse'],
  status: ['Status', 'Statut'],
  from: ['From (date)', 'Depuis le'],
  until: ['Until (date)', 'Jusqu’au'],
  recipient: ['Recipient', 'Destinataire'],
  content: ['Content', 'Contenu'],
  credits: ['Credits', 'Crédits'],
  time: ['Sent at', 'Envoyé le'],
  none: ['No message fits', 'Aucun message ne correspond'],
  noneHelp: [
    'Change the filters or the mode, or send a first message from the playground.',
    'Changez les filtres ou le mode, ou envoyez un premier message depuis les essais.',
  ],
  playground: ['Open the playground', 'Ouvrir les essais'],
  expired: ['content removed', 'contenu supprimé'],
} as const;

type Filters = Partial<Record<'kind' | 'to' | 'status' | 'from' | 'until', string>>;

const DAY_MS = 24 * 60 * 60 * 1_000;
const PAGE = 50;

export function Messages() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const { number } = useFormats();
  const filters = useSearch({ strict: false }) as Filters;
  const columns: Column<ListedMessage>[] = [
    { title: texts.recipient, of: (message) => <Recipient {...message} /> },
    { title: texts.status, of: ({ status }) => <Status of={status} /> },
    { title: texts.kind, of: ({ kind }) => texts[kind], isWide: true },
    {
      title: texts.content,
      of: ({ content }) => (
        <Text size="sm" lineClamp={1} maw={320}>
          {content}
        </Text>
      ),
      isWide: true,
    },
    { title: texts.time, of: ({ at }) => <Moment at={at} /> },
    {
      title: texts.credits,
      of: ({ credits }) => credits !== null && number(credits),
      isNumber: true,
      isWide: true,
    },
  ];
  return (
    <>
      <PageTitle title={texts.title} />
      <Search key={JSON.stringify(filters)} filters={filters} />
      <EndlessRows
        queryKey={['messages', mode, filters]}
        read={(cursor) => read(filters, mode, cursor)}
        changed={changed}
        columns={columns}
        idOf={({ id }) => id}
        label={texts.title}
        empty={
          <Empty title={texts.none}>
            {texts.noneHelp}{' '}
            <Anchor component={Link} to="/playground">
              {texts.playground}
            </Anchor>
          </Empty>
        }
      />
    </>
  );
}

function Recipient({ id, to, country }: ListedMessage) {
  const { country: nameOf } = useFormats();
  return (
    <>
      <Anchor component={Link} to={`/messages/${id}`} fw={500} size="sm" className="number">
        {to}
      </Anchor>
      {country !== '' && (
        <Text size="xs" c="dimmed">
          {nameOf(country)}
        </Text>
      )}
    </>
  );
}

function Search({ filters }: { filters: Filters }) {
  const texts = useTexts(TEXTS);
  const navigate = useNavigate();
  const open = (search: Filters) => void navigate({ to: '/messages', search: search as never });
  return (
    <SearchForm<Filters> columns={3} onSearch={open}>
      <TextInput name="to" label={texts.to} placeholder={texts.toHelp} defaultValue={filters.to} />
      <Select
        name="kind"
        label={texts.kind}
        data={[
          { value: '', label: texts.all },
          ...(['otp', 'sms', 'email'] as const).map((value) => ({ value, label: texts[value] })),
        ]}
        defaultValue={filters.kind ?? ''}
        allowDeselect={false}
      />
      <StatusFilter value={filters.status} />
      <TextInput name="from" type="date" label={texts.from} defaultValue={filters.from} />
      <TextInput name="until" type="date" label={texts.until} defaultValue={filters.until} />
    </SearchForm>
  );
}

async function read(filters: Filters, mode: Mode, cursor?: string): Promise<Page<ListedMessage>> {
  const { kind, to, status, from, until } = filters;
  const query = {
    limit: PAGE,
    test_mode: mode === 'test',
    ...(cursor && { cursor }),
    ...(to && { q: to.trim() }),
    ...(kind && { kind: kind as Found['kind'] }),
    ...(status && { status: status as MessageStatus }),
    ...(from && { created_after: new Date(from).toISOString() }),
    ...(until && { created_before: new Date(Date.parse(until) + DAY_MS).toISOString() }),
  };
  const page = await answerOf(dashboard.GET('/dashboard/search', { params: { query } }));
  return { ...page, data: page.data.map(rowOf) };
}

function rowOf(message: Found): ListedMessage {
  const { id, kind, status, created_at: at } = message;
  if (kind === 'email') {
    const [first = '', ...others] = message.to;
    const to = others.length > 0 ? `${first} +${others.length}` : first;
    return { id, kind, status, to, country: '', content: message.subject, credits: null, at };
  }
  const { phone_number: to, country_code: country, credit_cost: credits } = message;
  const content = kind === 'sms' ? (message.message ?? '') : '••••••';
  return { id, kind, status, to, country, content, credits, at };
}

function changed(row: ListedMessage, { data }: LiveEvent): ListedMessage {
  const { id, status } = data;
  return id === row.id && typeof status === 'string' ? { ...row, status } : row;
}
