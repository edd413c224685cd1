import { Anchor, Box, Button, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { answerOf, type Dashboard, dashboard, type Mode } from '../api/client';
import { carrierName } from '../parts/carrier-name';
import { downloadCsv } from '../parts/csv';
import { Empty, Loaded, PageTitle } from '../parts/states';
import { useMode } from '../session';
import { fill, useFormats, useTexts } from '../texts';

const TEXTS = {
  title: ['Overview', 'Vue d’ensemble'],
  week: ['The last 7 days', 'Les 7 derniers jours'],
  sends: ['Messages', 'Messages'],
  delivered: ['Delivered', 'Remis'],
  verified: ['Codes verified', 'Codes vérifiés'],
  spent: ['Credits spent', 'Crédits dépensés'],
  p50: ['Delivery, median', 'Remise, médiane'],
  p95: ['Delivery, 95 of 100', 'Remise, 95 sur 100'],
  seconds: ['{n} s', '{n} s'],
  perDay: ['Messages a day', 'Messages par jour'],
  before: ['Before: {n}', 'Avant : {n}'],
  funnel: ['One-time passwords', 'Codes à usage unique'],
  step: ['Step', 'Étape'],
  sent: ['Sent', 'Envoyés'],
  attempted: ['Code tried', 'Code essayé'],
  ended: ['Expired or failed', 'Expirés ou échoués'],
  otp: ['Codes', 'Codes'],
  sms: ['SMS', 'SMS'],
  email: ['Emails', 'E-mails'],
  byChannel: ['By channel', 'Par canal'],
  byNetwork: ['By network', 'Par réseau'],
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

type OverviewFigures = Dashboard['OverviewFigures'];
type OverviewAnswer = Dashboard['Overview'];

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = 7;
const GROUPS = ['channel', 'country', 'network', 'carrier'] as const;
type GroupBy = (typeof GROUPS)[number];
type Week = Record<GroupBy, OverviewAnswer>;

async function readWeek(mode: Mode): Promise<Week> {
  const from = new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString();
  const read = (group_by: GroupBy) => {
    const query = { from, interval: 'day', group_by, test_mode: mode === 'test' } as const;
    return answerOf(dashboard.GET('/dashboard/overview', { params: { query } }));
  };
  const [channel, country, network, carrier] = await Promise.all(GROUPS.map(read));
  return { channel, country, network, carrier } as Week;
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
        {(week) =>
          week.channel.total.sends + week.channel.before.sends === 0 ? (
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
            <Charts week={week} />
          )
        }
      </Loaded>
    </>
  );
}

function Charts({ week }: { week: Week }) {
  const texts = useTexts(TEXTS);
  const { country, day } = useFormats();
  const channels = { otp: texts.otp, sms: texts.sms, email: texts.email };
  const { total, before, points, groups } = week.channel;
  const codes = groups.find(({ key }) => key === 'otp');
  const rowsOf = (by: GroupBy, nameOf: (key: string) => string) =>
    week[by].groups.map(({ key, sends }) => ({
      name: key === null ? '—' : nameOf(key),
      count: sends,
    }));
  const days = points.map(({ at, sends }) => ({ name: day(at), count: sends }));
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {texts.week}
      </Text>
      <Figures total={total} before={before} codes={codes} />
      <Chart title={texts.perDay} name={texts.day} rows={days} isTime />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {codes && <Chart title={texts.funnel} name={texts.step} rows={funnel(codes, texts)} />}
        <Chart
          title={texts.byChannel}
          name={texts.name}
          rows={rowsOf('channel', (key) => channels[key as keyof typeof channels] ?? key)}
        />
        <Chart title={texts.byCountry} name={texts.name} rows={rowsOf('country', country)} />
        <Chart title={texts.byNetwork} name={texts.name} rows={rowsOf('network', String)} />
        <Chart title={texts.byCarrier} name={texts.name} rows={rowsOf('carrier', carrierName)} />
      </SimpleGrid>
    </Stack>
  );
}

function funnel(codes: OverviewFigures, texts: Record<keyof typeof TEXTS, string>): Row[] {
  return [
    { name: texts.sent, count: codes.sent },
    { name: texts.delivered, count: codes.delivered },
    { name: texts.attempted, count: codes.attempted },
    { name: texts.verified, count: codes.verified },
    { name: texts.ended, count: codes.expired + codes.failed },
  ];
}

function Figures({
  total,
  before,
  codes,
}: {
  total: OverviewFigures;
  before: OverviewFigures;
  codes: OverviewAnswer['groups'][number] | undefined;
}) {
  const texts = useTexts(TEXTS);
  const { number, share } = useFormats();
  const rate = (value: number | null | undefined) => (value == null ? '—' : share(value));
  const time = (value: number | null) =>
    value === null ? '—' : fill(texts.seconds, { n: number(value) });
  const verified = (of: OverviewFigures | undefined) =>
    rate(of && of.sends > 0 ? of.verified / of.sends : null);
  const both = (name: string, show: (of: OverviewFigures) => string) => (
    <Figure name={name} before={fill(texts.before, { n: show(before) })}>
      {show(total)}
    </Figure>
  );
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
      {both(texts.sends, (of) => number(of.sends))}
      {both(texts.delivered, (of) => rate(of.delivery_rate))}
      <Figure name={texts.verified} before={fill(texts.before, { n: verified(codes?.before) })}>
        {verified(codes)}
      </Figure>
      {both(texts.p50, (of) => time(of.delivery_seconds.p50))}
      {both(texts.p95, (of) => time(of.delivery_seconds.p95))}
      {both(texts.spent, (of) => number(of.spent_credits))}
    </SimpleGrid>
  );
}

function Figure({ name, before, children }: { name: string; before: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={650} fz={22} className="number">
        {children}
      </Text>
      <Text size="xs" c="dimmed">
        {before}
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
