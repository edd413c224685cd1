import {
  Anchor,
  Box,
  Button,
  Group,
  NativeSelect,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { answerOf, type Dashboard, dashboard, type Mode } from '../api/client';
import { carrierName, networkName } from '../parts/carrier-name';
import { downloadCsv } from '../parts/csv';
import { KIND_PLURALS } from '../parts/kinds';
import { Empty, Loaded, Loading, PageTitle } from '../parts/states';
import { useMode } from '../session';
import { fill, useFormats, useTexts } from '../texts';

const TEXTS = {
  title: ['Overview', 'Vue d’ensemble'],
  period: ['Period', 'Période'],
  day24: ['24 hours', '24 heures'],
  week: ['7 days', '7 jours'],
  month: ['30 days', '30 jours'],
  measure: ['What the charts show', 'Ce que montrent les graphiques'],
  rate: ['Delivered, %', 'Remis, %'],
  sends: ['Messages', 'Messages'],
  delivered: ['Delivered', 'Remis'],
  verified: ['Codes verified', 'Codes vérifiés'],
  spent: ['Credits spent', 'Crédits dépensés'],
  p50: ['Delivery, median', 'Remise, médiane'],
  p95: ['Delivery, 95 of 100', 'Remise, 95 sur 100'],
  seconds: ['{n} s', '{n} s'],
  overTime: ['Over time', 'Dans le temps'],
  before: ['Before: {n}', 'Avant : {n}'],
  funnel: ['One-time passwords', 'Codes à usage unique'],
  step: ['Step', 'Étape'],
  sent: ['Sent', 'Envoyés'],
  attempted: ['Code tried', 'Code essayé'],
  ended: ['Expired or failed', 'Expirés ou échoués'],
  ...KIND_PLURALS,
  byChannel: ['By channel', 'Par canal'],
  byNetwork: ['By network', 'Par réseau'],
  byCountry: ['By country', 'Par pays'],
  byCarrier: ['By carrier', 'Par fournisseur SMS'],
  time: ['Time', 'Moment'],
  name: ['Name', 'Nom'],
  table: ['Show the table', 'Afficher le tableau'],
  csv: ['CSV', 'CSV'],
  none: ['Nothing was sent in this period', 'Rien n’a été envoyé pendant cette période'],
  noneHelp: ['Send a first code or text from the', 'Envoyez un premier code ou SMS depuis les'],
  playground: ['playground', 'essais'],
} as const;

/** Larger than the rest of the page, so it comes after the figures. */
const Drawing = lazy(() => import('../parts/drawing'));

type OverviewFigures = Dashboard['OverviewFigures'];
type OverviewAnswer = Dashboard['Overview'];

const HOUR_MS = 60 * 60 * 1_000;
const PERIODS = {
  day24: { interval: 'hour', stepMs: HOUR_MS, points: 24 },
  week: { interval: 'day', stepMs: 24 * HOUR_MS, points: 7 },
  month: { interval: 'day', stepMs: 24 * HOUR_MS, points: 30 },
} as const;
type Period = keyof typeof PERIODS;

/** What the charts can show of a group or a point; null where there is nothing to measure. */
const MEASURES = {
  sends: (of: OverviewFigures) => of.sends,
  rate: ({ delivery_rate: rate }: OverviewFigures) =>
    rate === null ? null : Math.round(rate * 1_000) / 10,
  spent: (of: OverviewFigures) => of.spent_credits,
  p95: (of: OverviewFigures) => of.delivery_seconds.p95,
} as const;
type Measure = keyof typeof MEASURES;

const GROUPS = ['channel', 'country', 'network', 'carrier'] as const;
type GroupBy = (typeof GROUPS)[number];
type Counted = Record<GroupBy, OverviewAnswer>;

async function readPeriod(mode: Mode, period: Period): Promise<Counted> {
  const { interval, stepMs, points } = PERIODS[period];
  const from = new Date(Date.now() - (points - 1) * stepMs).toISOString();
  const read = (group_by: GroupBy) => {
    const query = { from, interval, group_by, test_mode: mode === 'test' } as const;
    return answerOf(dashboard.GET('/dashboard/overview', { params: { query } }));
  };
  const [channel, country, network, carrier] = await Promise.all(GROUPS.map(read));
  return { channel, country, network, carrier } as Counted;
}

export function Overview() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const [period, setPeriod] = useState<Period>('week');
  const [measure, setMeasure] = useState<Measure>('sends');
  const query = useQuery({
    queryKey: ['overview', mode, period],
    queryFn: () => readPeriod(mode, period),
    staleTime: 15_000,
  });
  const choices = <Name extends keyof typeof TEXTS>(names: readonly Name[]) =>
    names.map((value) => ({ value, label: texts[value] }));
  return (
    <>
      <PageTitle title={texts.title} />
      <Group mb="md" justify="space-between">
        <SegmentedControl
          aria-label={texts.period}
          data={choices(Object.keys(PERIODS) as Period[])}
          value={period}
          onChange={(value) => setPeriod(value as Period)}
        />
        <NativeSelect
          aria-label={texts.measure}
          data={choices(Object.keys(MEASURES) as Measure[])}
          value={measure}
          onChange={({ currentTarget }) => setMeasure(currentTarget.value as Measure)}
        />
      </Group>
      <Loaded query={query}>
        {(counted) =>
          counted.channel.total.sends + counted.channel.before.sends === 0 ? (
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
            <Charts counted={counted} measure={measure} />
          )
        }
      </Loaded>
    </>
  );
}

function Charts({ counted, measure }: { counted: Counted; measure: Measure }) {
  const texts = useTexts(TEXTS);
  const { country, day, clock } = useFormats();
  const channels = { otp: texts.otp, sms: texts.sms, email: texts.email };
  const { total, before, points, groups, interval } = counted.channel;
  const codes = groups.find(({ key }) => key === 'otp');
  const shown = MEASURES[measure];
  const label = texts[measure];
  const groupsBy = (by: GroupBy, nameOf: (key: string) => string) => ({
    name: texts.name,
    label,
    rows: counted[by].groups.map((group) => ({
      name: group.key === null ? '—' : nameOf(group.key),
      count: shown(group),
    })),
  });
  const timeOf = (at: string) => (interval === 'hour' ? clock(at).slice(0, 5) : day(at));
  const times = points.map((point) => ({ name: timeOf(point.at), count: shown(point) }));
  return (
    <Stack>
      <Figures total={total} before={before} codes={codes} />
      <Chart title={texts.overTime} name={texts.time} label={label} rows={times} isTime />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {codes && (
          <Chart
            title={texts.funnel}
            name={texts.step}
            label={texts.sends}
            rows={funnel(codes, texts)}
          />
        )}
        <Chart
          title={texts.byChannel}
          {...groupsBy('channel', (key) => channels[key as keyof typeof channels] ?? key)}
        />
        <Chart title={texts.byCountry} {...groupsBy('country', country)} />
        <Chart title={texts.byNetwork} {...groupsBy('network', networkName)} />
        <Chart title={texts.byCarrier} {...groupsBy('carrier', carrierName)} />
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
  count: number | null;
}

/** A chart with its table and CSV. */
function Chart({
  title,
  name,
  label,
  rows,
  isTime = false,
}: {
  title: string;
  name: string;
  /** Of the figures. */
  label: string;
  rows: Row[];
  isTime?: boolean;
}) {
  const texts = useTexts(TEXTS);
  return (
    <Paper withBorder p="md">
      <Title order={2} mb="sm">
        {title}
      </Title>
      <Box aria-hidden inert>
        <Suspense fallback={<Loading />}>
          <Drawing rows={rows} isTime={isTime} label={label} />
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
              <Table.Th ta="right">{label}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.name}>
                <Table.Td>{row.name}</Table.Td>
                <Table.Td ta="right">{row.count ?? '—'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${texts.csv}: ${title}`}
          onClick={() =>
            downloadCsv(title, [[name, label], ...rows.map((row) => [row.name, row.count ?? ''])])
          }
        >
          {texts.csv}
        </Button>
      </details>
    </Paper>
  );
}
