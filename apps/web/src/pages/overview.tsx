import { Anchor, Box, Button, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { answerOf, type Dashboard, dashboard, type Mode } from '../api/client';
import { carrierName } from '../parts/carrier-name';
import { downloadCsv } from '../parts/csv';
import { useStatusWord } from '../parts/show';
import { Empty, Loaded, PageTitle } from '../parts/states';
import { useMode } from '../session';
import { fill, useFormats, useTexts } from '../texts';

const TEXTS = {
  title: ['Overview', 'Vue d’ensemble'],
  week: ['The last 7 days', 'Les 7 derniers jours'],
  newest: [
    'Counted from the newest {n} messages of the last 7 days.',
    'Compté d’après les {n} messages les plus récents des 7 derniers jours.',
  ],
  sends: ['Messages', 'Messages'],
  delivered: ['Delivered', 'Remis'],
  verified: ['Codes verified', 'Codes vérifiés'],
  spent: ['Credits spent', 'Crédits dépensés'],
  p50: ['Delivery, median', 'Remise, médiane'],
  p95: ['Delivery, 95 of 100', 'Remise, 95 sur 100'],
  seconds: ['{n} s', '{n} s'],
  perDay: ['Messages a day', 'Messages par jour'],
  byStatus: ['By status', 'Par statut'],
  byCountry: ['By country', 'Par pays'],
  byCarrier: ['By carrier', 'Par fournisseur SMS'],
  day: ['Day', 'Jour'],
  name: ['Name', 'Nom'],
  count: ['Messages', 'Messages'],
  table: ['Show the table', 'Afficher le tableau'],
  csv: ['CSV', 'CSV'],
  none: ['Nothing was sent in the last 7 days', 'Rien n’a été envoyé ces 7 derniers jours'],
  noneHelp: ['Send a first code or text from the', 'Envoyez un premier code ou SMS depuis les'],
  playground: ['playground', 'essais'],
} as const;

/** Larger than the rest of the page, so it comes after the figures. */
const Drawing = lazy(() => import('../parts/drawing'));

type Message = Dashboard['ListedMessage'];

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = 7;
/** Roll-ups by the hour will take the place of pages of messages. */
const PAGES_MAX = 10;
const DELIVERED = new Set(['delivered', 'verified']);

async function readWeek(mode: Mode): Promise<Message[]> {
  const messages: Message[] = [];
  const after = new Date(Date.now() - DAYS * DAY_MS).toISOString();
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = {
      limit: 100,
      test_mode: mode === 'test',
      created_after: after,
      ...(cursor && { cursor }),
    };
    const { data, next_cursor: next } = await answerOf(
      dashboard.GET('/dashboard/messages', { params: { query } }),
    );
    messages.push(...data);
    cursor = next;
    if (!cursor) break;
  }
  return messages;
}

export function Overview() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const query = useQuery({
    queryKey: ['week', mode],
    queryFn: () => readWeek(mode),
    staleTime: 15_000,
  });
  return (
    <>
      <PageTitle title={texts.title} />
      <Loaded query={query}>
        {(messages) =>
          messages.length === 0 ? (
            <Paper withBorder>
              <Empty title={texts.none}>
                {texts.noneHelp}{' '}
                <Anchor component={Link} to="/playground">
                  {texts.playground}
                </Anchor>
                .
              </Empty>
            </Paper>
          ) : (
            <Week messages={messages} />
          )
        }
      </Loaded>
    </>
  );
}

function Week({ messages }: { messages: readonly Message[] }) {
  const texts = useTexts(TEXTS);
  const { day, number } = useFormats();
  const word = useStatusWord();
  const carriers = messages.map(({ provider_attempts: attempts }) => {
    const last = attempts.at(-1);
    return last ? carrierName(last.provider) : '—';
  });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {fill(texts.newest, { n: number(messages.length) })}
      </Text>
      <Figures messages={messages} />
      <Chart title={texts.perDay} name={texts.day} rows={perDay(messages, day)} isTime />
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Chart
          title={texts.byStatus}
          name={texts.name}
          rows={countsOf(messages.map(({ status }) => word(status)))}
        />
        <Chart
          title={texts.byCountry}
          name={texts.name}
          rows={countsOf(messages.map((one) => one.country_code))}
        />
        <Chart title={texts.byCarrier} name={texts.name} rows={countsOf(carriers)} />
      </SimpleGrid>
    </Stack>
  );
}

function Figures({ messages }: { messages: readonly Message[] }) {
  const texts = useTexts(TEXTS);
  const { number, share } = useFormats();
  const ended = messages.filter(
    ({ status }) => !['pending', 'queued', 'scheduled', 'sent'].includes(status),
  );
  const delivered = ended.filter((one) => DELIVERED.has(one.status) || one.delivered_at !== null);
  const codes = messages.filter(({ kind }) => kind === 'otp');
  const verified = codes.filter(({ status }) => status === 'verified');
  const spent = messages.reduce((sum, one) => sum + (one.refunded ? 0 : one.credit_cost), 0);
  const seconds = secondsToDelivery(messages);
  const timeAt = (part: number) => {
    const value = seconds[Math.min(seconds.length - 1, Math.floor(seconds.length * part))];
    return value === undefined
      ? '—'
      : fill(texts.seconds, { n: number(Math.round(value * 10) / 10) });
  };
  const ratio = (part: number, whole: number) => (whole === 0 ? '—' : share(part / whole));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
      <Figure name={texts.sends}>{number(messages.length)}</Figure>
      <Figure name={texts.delivered}>{ratio(delivered.length, ended.length)}</Figure>
      <Figure name={texts.verified}>{ratio(verified.length, codes.length)}</Figure>
      <Figure name={texts.p50}>{timeAt(0.5)}</Figure>
      <Figure name={texts.p95}>{timeAt(0.95)}</Figure>
      <Figure name={texts.spent}>{number(spent)}</Figure>
    </SimpleGrid>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={650} fz={22} className="number">
        {children}
      </Text>
    </Paper>
  );
}

interface Row {
  name: string;
  count: number;
}

/** A chart with its table and CSV. */
function Chart({
  title,
  name,
  rows,
  isTime = false,
}: {
  title: string;
  name: string;
  rows: Row[];
  isTime?: boolean;
}) {
  const texts = useTexts(TEXTS);
  return (
    <Paper withBorder p="md">
      <Title order={2} mb="sm">
        {title}
      </Title>
      <Box h={220} aria-hidden inert>
        <Suspense>
          <Drawing rows={rows} isTime={isTime} label={texts.count} />
        </Suspense>
      </Box>
      <details>
        <Text component="summary" size="sm" mt="xs" style={{ cursor: 'pointer' }}>
          {texts.table}
        </Text>
        <Table mt="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{name}</Table.Th>
              <Table.Th ta="right">{texts.count}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.name}>
                <Table.Td>{row.name}</Table.Td>
                <Table.Td ta="right">{row.count}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${texts.csv}: ${title}`}
          onClick={() =>
            downloadCsv(title, [[name, texts.count], ...rows.map((row) => [row.name, row.count])])
          }
        >
          {texts.csv}
        </Button>
      </details>
    </Paper>
  );
}

function countsOf(names: readonly string[]): Row[] {
  const groups = Map.groupBy(names, (name) => name);
  return [...groups]
    .map(([name, { length }]) => ({ name, count: length }))
    .toSorted((one, other) => other.count - one.count);
}

function perDay(messages: readonly Message[], day: (at: string) => string): Row[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(Date.now() - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    const count = messages.filter((one) => one.created_at.startsWith(date)).length;
    return { name: day(date), count };
  });
}

/** In rising order. */
function secondsToDelivery(messages: readonly Message[]): number[] {
  return messages
    .flatMap(({ created_at: from, delivered_at: until }) =>
      until ? [(Date.parse(until) - Date.parse(from)) / 1_000] : [],
    )
    .toSorted((one, other) => one - other);
}
