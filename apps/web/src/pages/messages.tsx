import { Anchor, Button, Group, Paper, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { answerOf, type Dashboard, dashboard, type Mode } from '../api/client';
import { type Column, type Page, PagedRows } from '../parts/list';
import { Moment, Status, useStatusWord } from '../parts/show';
import { Empty, PageTitle } from '../parts/states';
import { useMode } from '../session';
import { useFormats, useTexts } from '../texts';

type Email = Dashboard['ListedEmail'];

/** One line for each channel's record. */
export interface ListedMessage {
  id: string;
  kind: 'otp' | 'sms' | 'email';
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
  all: ['Codes and texts', 'Codes et SMS'],
  otp: ['Code', 'Code'],
  sms: ['Text', 'SMS'],
  email: ['Email', 'E-mail'],
  to: ['Recipient or ID', 'Destinataire ou identifiant'],
  toHelp: ['Number in any writing, address, or message ID', 'Numéro, adresse ou identifiant'],
  status: ['Status', 'Statut'],
  country: ['Country', 'Pays'],
  from: ['From (date)', 'Depuis le'],
  until: ['Until (date)', 'Jusqu’au'],
  any: ['Any', 'Tous'],
  search: ['Search', 'Rechercher'],
  clear: ['Clear', 'Effacer'],
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

const STATUSES = {
  phone: [
    'pending',
    'queued',
    'scheduled',
    'sent',
    'delivered',
    'verified',
    'expired',
    'failed',
    'blocked',
    'rejected',
    'cancelled',
  ],
  email: [
    'scheduled',
    'queued',
    'sent',
    'delivered',
    'bounced',
    'complained',
    'failed',
    'cancelled',
  ],
} as const;

type Filters = Partial<Record<'kind' | 'to' | 'status' | 'country' | 'from' | 'until', string>>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY_MS = 24 * 60 * 60 * 1_000;
const LIVE_MS = 5_000;

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
      of: ({ credits }) => (credits === null ? '' : number(credits)),
      isNumber: true,
      isWide: true,
    },
  ];
  return (
    <>
      <PageTitle title={texts.title} />
      <Search key={JSON.stringify(filters)} filters={filters} />
      <PagedRows
        queryKey={['messages', mode, filters]}
        read={(cursor) => read(filters, mode, cursor)}
        refetchMs={LIVE_MS}
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

function Recipient({ kind, id, to, country }: ListedMessage) {
  const { country: nameOf } = useFormats();
  return (
    <>
      <Anchor component={Link} to={`/messages/${kind}/${id}`} fw={500} size="sm" className="number">
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
  const word = useStatusWord();
  const navigate = useNavigate();
  const isEmail = filters.kind === 'email';
  const statuses = isEmail ? STATUSES.email : STATUSES.phone;
  const open = (search: Filters) => void navigate({ to: '/messages', search: search as never });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
    const values = Object.fromEntries(entries) as Filters;
    const { to } = values;
    if (to && UUID.test(to.trim())) {
      void navigate({ to: `/messages/${values.kind ?? 'any'}/${to.trim().toLowerCase()}` });
      return;
    }
    open(values);
  };
  return (
    <Paper withBorder p="md" mb="md" component="form" role="search" onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <TextInput
          name="to"
          label={texts.to}
          placeholder={texts.toHelp}
          defaultValue={filters.to}
        />
        <Select
          name="kind"
          label={texts.kind}
          data={[
            { value: '', label: texts.all },
            ...(['otp', 'sms', 'email'] as const).map((value) => ({ value, label: texts[value] })),
          ]}
          value={filters.kind ?? ''}
          onChange={(kind) => open({ ...filters, kind: kind ?? '', status: '' })}
          allowDeselect={false}
        />
        <Select
          name="status"
          label={texts.status}
          data={[
            { value: '', label: texts.any },
            ...statuses.map((value) => ({ value, label: word(value) })),
          ]}
          defaultValue={filters.status ?? ''}
          allowDeselect={false}
        />
        {!isEmail && (
          <TextInput
            name="country"
            label={texts.country}
            placeholder="NG"
            maxLength={2}
            defaultValue={filters.country}
          />
        )}
        <TextInput name="from" type="date" label={texts.from} defaultValue={filters.from} />
        <TextInput name="until" type="date" label={texts.until} defaultValue={filters.until} />
      </SimpleGrid>
      <Group mt="md">
        <Button type="submit">{texts.search}</Button>
        <Button variant="default" onClick={() => open({})}>
          {texts.clear}
        </Button>
      </Group>
    </Paper>
  );
}

async function read(filters: Filters, mode: Mode, cursor?: string): Promise<Page<ListedMessage>> {
  const { kind, to, status, country, from, until } = filters;
  const common = {
    limit: 20,
    test_mode: mode === 'test',
    ...(cursor && { cursor }),
    ...(from && { created_after: new Date(from).toISOString() }),
    ...(until && { created_before: new Date(Date.parse(until) + DAY_MS).toISOString() }),
    ...(status && { status: status as never }),
  };
  if (kind === 'email' || to?.includes('@')) {
    const query = { ...common, ...(to && { to: to.trim() }) };
    const page = await answerOf(dashboard.GET('/dashboard/emails', { params: { query } }));
    return { ...page, data: page.data.map(emailRow) };
  }
  const query = {
    ...common,
    ...(to && { to: numberOf(to) }),
    ...(country && { country: country.toUpperCase() }),
    ...(kind && { kind: kind as 'otp' | 'sms' }),
  };
  const page = await answerOf(dashboard.GET('/dashboard/messages', { params: { query } }));
  return { ...page, data: page.data.map(phoneRow) };
}

/** `0044 20-7946` and `+44 (20) 7946` are one number. */
function numberOf(text: string): string {
  const digits = text.replace(/[^\d+]/g, '').replace(/^00/, '+');
  return digits.startsWith('+') ? digits : `+${digits}`;
}

export function phoneRow(message: Dashboard['ListedMessage']): ListedMessage {
  return {
    id: message.id,
    kind: message.kind,
    status: message.status,
    to: message.phone_number,
    country: message.country_code,
    content: message.kind === 'sms' ? (message.message ?? '') : '••••••',
    credits: message.credit_cost,
    at: message.created_at,
  };
}

export function emailRow({ id, status, to, subject, created_at: at }: Email): ListedMessage {
  const [first = '', ...others] = to;
  const more = others.length > 0 ? ` +${others.length}` : '';
  return {
    id,
    kind: 'email',
    status,
    to: first + more,
    country: '',
    content: subject,
    credits: null,
    at,
  };
}
