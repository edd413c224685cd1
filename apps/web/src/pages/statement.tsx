import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { answerOf, type Dashboard, dashboard } from '../api/client';
import { useAction } from '../parts/act';
import { download } from '../parts/csv';
import { KIND_PLURALS } from '../parts/kinds';
import { Rows } from '../parts/list';
import { Empty, Loaded, PageTitle } from '../parts/states';
import { useMember } from '../session';
import { fill, useFormats, useTexts } from '../texts';

type Month = Exclude<Dashboard['Statement'], string>;

const TEXTS = {
  title: ['Statement of {month}', 'Relevé de {month}'],
  back: ['Money', 'Argent'],
  print: ['Print', 'Imprimer'],
  csv: ['Download CSV', 'Télécharger en CSV'],
  opening: ['Opening balance', 'Solde initial'],
  closing: ['Closing balance', 'Solde final'],
  charges: ['Charges', 'Débits'],
  refunds: ['Refunds', 'Remboursements'],
  topUps: ['Top-ups', 'Rechargements'],
  none: ['None in this month', 'Aucun ce mois-ci'],
  channel: ['Channel', 'Canal'],
  ...KIND_PLURALS,
  country: ['Country', 'Pays'],
  count: ['Number', 'Nombre'],
  credits: ['Credits', 'Crédits'],
  kind: ['Kind', 'Nature'],
  trial: ['Trial', 'Essai'],
  purchase: ['Purchase', 'Achat'],
  bonus: ['Bonus', 'Bonus'],
  adjustment: ['Adjustment', 'Ajustement'],
  total: ['Total', 'Total'],
  zone: [
    'Months are those of UTC. The statement of a running month changes until it ends.',
    'Les mois sont ceux d’UTC. Le relevé du mois en cours change jusqu’à sa fin.',
  ],
  month: ['Month', 'Mois'],
} as const;

/** The months of the workspace, newest first. */
export function Statements() {
  const texts = useTexts(TEXTS);
  const { month } = useFormats();
  const { workspace } = useMember();
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {texts.zone}
      </Text>
      <Rows
        rows={monthsSince(workspace.created_at)}
        idOf={(name) => name}
        label={texts.title}
        empty={<Empty title={texts.none} />}
        columns={[
          {
            title: texts.month,
            of: (name) => (
              <Anchor component={Link} to={`/money/statements/${name}`} size="sm" fw={500}>
                {month(name)}
              </Anchor>
            ),
          },
        ]}
      />
    </Stack>
  );
}

function monthsSince(created: string): string[] {
  const months: string[] = [];
  const first = created.slice(0, 7);
  const day = new Date();
  day.setUTCDate(1);
  for (let name = nameOf(day); name >= first; name = nameOf(day)) {
    months.push(name);
    day.setUTCMonth(day.getUTCMonth() - 1);
  }
  return months;
}

const nameOf = (day: Date) => day.toISOString().slice(0, 7);

export function Statement() {
  const texts = useTexts(TEXTS);
  const { month: monthName } = useFormats();
  const { month = '' } = useParams({ strict: false });
  const { workspace } = useMember();
  const call = { params: { path: { month } } };
  const query = useQuery({
    queryKey: ['statement', month],
    queryFn: async () => {
      const statement = await answerOf(dashboard.GET('/dashboard/statements/{month}', call));
      // The route also answers CSV, which is a text.
      if (typeof statement === 'string') throw new Error('The statement is a text.');
      return statement;
    },
  });
  const saving = useAction(async () => {
    const { data } = await dashboard.GET('/dashboard/statements/{month}', {
      ...call,
      headers: { accept: 'text/csv' },
      parseAs: 'blob',
    });
    if (data) download(`statement-${month}.csv`, data as unknown as Blob);
  });
  return (
    <>
      <Anchor component={Link} to="/money" size="sm" className="no-print">
        ← {texts.back}
      </Anchor>
      <PageTitle title={fill(texts.title, { month: monthName(month) })}>
        <Group gap="sm" className="no-print">
          <Button variant="default" onClick={() => print()}>
            {texts.print}
          </Button>
          <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
            {texts.csv}
          </Button>
        </Group>
      </PageTitle>
      <Text mb="md">{workspace.name}</Text>
      <Loaded query={query}>{(statement) => <Sheet {...statement} />}</Loaded>
    </>
  );
}

function Sheet({ opening, charges, refunds, top_ups: topUps, closing }: Month) {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  return (
    <Stack gap="lg">
      <Balance name={texts.opening} credits={opening} />
      <Lines title={texts.charges} lines={charges} />
      <Lines title={texts.refunds} lines={refunds} />
      <div>
        <Title order={2} mb="sm">
          {texts.topUps}
        </Title>
        <Rows
          rows={topUps}
          idOf={({ top_up_kind: kind }) => kind}
          label={texts.topUps}
          empty={<Empty title={texts.none} />}
          columns={[
            { title: texts.kind, of: ({ top_up_kind: kind }) => texts[kind] },
            { title: texts.count, of: ({ count }) => number(count), isNumber: true },
            { title: texts.credits, of: ({ credits }) => number(credits), isNumber: true },
          ]}
        />
      </div>
      <Balance name={texts.closing} credits={closing} />
    </Stack>
  );
}

function Balance({ name, credits }: { name: string; credits: number }) {
  const { number } = useFormats();
  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <Text fw={600}>{name}</Text>
        <Text fw={650} fz={20} className="number">
          {number(credits)}
        </Text>
      </Group>
    </Paper>
  );
}

function Lines({ title, lines }: { title: string; lines: Month['charges'] }) {
  const texts = useTexts(TEXTS);
  const { number, country } = useFormats();
  const total = lines.reduce((sum, { credits }) => sum + credits, 0);
  return (
    <div>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        {lines.length > 0 && (
          <Text fw={600} className="number">
            {texts.total} {number(total)}
          </Text>
        )}
      </Group>
      <Rows
        rows={lines}
        idOf={({ channel, country: code }) => `${channel} ${code}`}
        label={title}
        empty={<Empty title={texts.none} />}
        columns={[
          { title: texts.channel, of: ({ channel }) => texts[channel] },
          { title: texts.country, of: ({ country: code }) => (code ? country(code) : '—') },
          { title: texts.count, of: ({ count }) => number(count), isNumber: true },
          { title: texts.credits, of: ({ credits }) => number(credits), isNumber: true },
        ]}
      />
    </div>
  );
}
