import {
  Anchor,
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Tabs,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, type Dashboard, dashboard, newKey, v1 } from '../api/client';
import { FormButton, useAction } from '../parts/act';
import { download } from '../parts/csv';
import { type Column, PagedRows, Rows } from '../parts/list';
import { Moment, Status } from '../parts/show';
import { Empty, Loaded, PageTitle } from '../parts/states';
import { useMember } from '../session';
import { fill, useFormats, useTexts } from '../texts';
import { Statements } from './statement';
import { TopUp } from './top-up';

const TEXTS = {
  title: ['Money', 'Argent'],
  balance: ['Balance', 'Solde'],
  bought: ['Credits bought so far', 'Crédits achetés à ce jour'],
  credits: ['Credits', 'Crédits'],
  ledger: ['Ledger', 'Grand livre'],
  prices: ['Prices', 'Prix'],
  payments: ['Payments', 'Paiements'],
  statements: ['Statements', 'Relevés'],
  topUp: ['Automatic top-up', 'Rechargement automatique'],
  kind: ['Kind', 'Nature'],
  all: ['All', 'Toutes'],
  charge: ['Charge', 'Débit'],
  refund: ['Refund', 'Remboursement'],
  top_up: ['Top-up', 'Rechargement'],
  after: ['Balance after', 'Solde après'],
  time: ['Time', 'Heure'],
  subject: ['Message or note', 'Message ou note'],
  csv: ['Download CSV', 'Télécharger en CSV'],
  noEntries: ['The ledger is empty', 'Le grand livre est vide'],
  country: ['Country', 'Pays'],
  find: ['Find a country', 'Chercher un pays'],
  perSegment: ['Credits a segment', 'Crédits par segment'],
  networks: ['Networks', 'Réseaux'],
  noPrices: ['No country fits', 'Aucun pays ne correspond'],
  creditPrice: ['One credit costs {price}.', 'Un crédit coûte {price}.'],
  buy: ['Buy credits', 'Acheter des crédits'],
  provider: ['Payment service', 'Prestataire de paiement'],
  stripe: ['Stripe', 'Stripe'],
  paystack: ['Paystack', 'Paystack'],
  manual: ['Bank transfer', 'Virement'],
  pay: ['Pay', 'Payer'],
  amount: ['Amount', 'Montant'],
  status: ['Status', 'Statut'],
  noPayments: ['Nothing was bought yet', 'Rien n’a encore été acheté'],
  keepCard: ['Keep the card for automatic top-up', 'Garder la carte pour le rechargement'],
} as const;

type Entry = Dashboard['LedgerEntry'];

export function Money() {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  const { workspace, user } = useMember();
  const isOwner = user.role === 'owner';
  return (
    <>
      <PageTitle title={texts.title}>{isOwner && <Buy />}</PageTitle>
      <SimpleGrid cols={{ base: 1, xs: 2 }} mb="md">
        {[
          [texts.balance, workspace.balance] as const,
          [texts.bought, workspace.purchased_credits] as const,
        ].map(([name, value]) => (
          <Paper withBorder p="md" key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text fz={26} fw={650} className="number">
              {number(value)}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      <Tabs defaultValue="ledger" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="ledger">{texts.ledger}</Tabs.Tab>
          <Tabs.Tab value="statements">{texts.statements}</Tabs.Tab>
          <Tabs.Tab value="prices">{texts.prices}</Tabs.Tab>
          {isOwner && <Tabs.Tab value="payments">{texts.payments}</Tabs.Tab>}
          {isOwner && <Tabs.Tab value="top-up">{texts.topUp}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="ledger">
          <Ledger />
        </Tabs.Panel>
        <Tabs.Panel value="statements">
          <Statements />
        </Tabs.Panel>
        <Tabs.Panel value="prices">
          <PriceList />
        </Tabs.Panel>
        <Tabs.Panel value="payments">
          <Payments />
        </Tabs.Panel>
        <Tabs.Panel value="top-up">
          <TopUp />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Ledger() {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  const [kind, setKind] = useState('');
  const filter = kind === '' ? {} : { kind: kind as Entry['kind'] };
  const columns: Column<Entry>[] = [
    { title: texts.time, of: ({ created_at: at }) => <Moment at={at} /> },
    { title: texts.kind, of: (entry) => texts[entry.kind] },
    {
      title: texts.credits,
      of: ({ credits }) => (credits > 0 ? `+${number(credits)}` : number(credits)),
      isNumber: true,
    },
    { title: texts.after, of: ({ balance_after: after }) => number(after), isNumber: true },
    { title: texts.subject, of: (entry) => <Subject entry={entry} />, isWide: true },
  ];
  const saving = useAction(async () => {
    const { data } = await dashboard.GET('/dashboard/ledger', {
      params: { query: filter },
      headers: { accept: 'text/csv' },
      parseAs: 'blob',
    });
    if (data) download('ledger.csv', data as unknown as Blob);
  });
  return (
    <>
      <Group mb="sm" justify="space-between" align="end">
        <Select
          label={texts.kind}
          value={kind}
          onChange={(value) => setKind(value ?? '')}
          allowDeselect={false}
          data={[
            { value: '', label: texts.all },
            ...(['charge', 'refund', 'top_up'] as const).map((value) => ({
              value,
              label: texts[value],
            })),
          ]}
        />
        <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
          {texts.csv}
        </Button>
      </Group>
      <PagedRows
        isCards
        queryKey={['ledger', kind]}
        read={async (cursor) => {
          const query = { limit: 20, ...filter, ...(cursor && { cursor }) };
          const page = await answerOf(dashboard.GET('/dashboard/ledger', { params: { query } }));
          // The route also answers CSV, which is a text.
          return typeof page === 'string' ? { data: [] } : page;
        }}
        columns={columns}
        idOf={({ id }) => id}
        label={texts.ledger}
        empty={<Empty title={texts.noEntries} />}
      />
    </>
  );
}

function Subject({ entry: { message_id: id, note } }: { entry: Entry }) {
  if (!id) return note ?? '—';
  return (
    <Anchor component={Link} to={`/messages/${id}`} className="code">
      {id}
    </Anchor>
  );
}

function PriceList() {
  const texts = useTexts(TEXTS);
  const { money, number, country } = useFormats();
  const [wanted, setWanted] = useState('');
  const query = useQuery({
    queryKey: ['prices'],
    queryFn: () => answerOf(v1.GET('/v1/pricing')),
    staleTime: 60_000,
  });
  return (
    <Loaded query={query}>
      {({ credit_price: price, countries }) => {
        const text = wanted.trim().toLowerCase();
        const fits = countries.filter(({ name, country_code: code, dial_code: dial }) =>
          `${country(code)} ${name} ${code} ${dial}`.toLowerCase().includes(text),
        );
        return (
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {fill(texts.creditPrice, { price: money(price.amount, price.currency) })}
            </Text>
            <TextInput
              label={texts.find}
              value={wanted}
              onChange={(event) => setWanted(event.currentTarget.value)}
              maw={320}
            />
            <Rows
              rows={fits}
              idOf={({ country_code: code }) => code}
              label={texts.prices}
              empty={<Empty title={texts.noPrices} />}
              columns={[
                {
                  title: texts.country,
                  of: (one) => `${country(one.country_code)} (+${one.dial_code.replace('+', '')})`,
                },
                { title: texts.perSegment, of: (one) => number(one.credits), isNumber: true },
                {
                  title: texts.networks,
                  of: ({ networks }) =>
                    networks.map((one) => `${one.name} ${number(one.credits)}`).join(' · '),
                  isWide: true,
                },
              ]}
            />
          </Stack>
        );
      }}
    </Loaded>
  );
}

function Buy() {
  const texts = useTexts(TEXTS);
  const [key] = useState(newKey);
  return (
    <FormButton
      label={texts.buy}
      submitLabel={texts.pay}
      onSubmit={async ({ credits, provider, save }) => {
        const { checkout_url: url } = await answerOf(
          dashboard.POST('/dashboard/payments', {
            params: { header: key },
            body: {
              credits: Number(credits),
              ...(provider && { provider: provider as 'stripe' }),
              ...(save && { save_authorisation: true }),
            },
          }),
        );
        if (url) location.assign(url);
      }}
    >
      <NumberInput
        name="credits"
        label={texts.credits}
        required
        min={1}
        allowDecimal={false}
        defaultValue={1_000}
      />
      <Select
        name="provider"
        label={texts.provider}
        data={(['stripe', 'paystack', 'manual'] as const).map((value) => ({
          value,
          label: texts[value],
        }))}
        clearable
      />
      <Switch name="save" label={texts.keepCard} />
    </FormButton>
  );
}

function Payments() {
  const texts = useTexts(TEXTS);
  const { money, number } = useFormats();
  return (
    <PagedRows
      isCards
      queryKey={['payments']}
      read={(cursor) =>
        answerOf(
          dashboard.GET('/dashboard/payments', {
            params: { query: { limit: 20, ...(cursor && { cursor }) } },
          }),
        )
      }
      columns={[
        { title: texts.time, of: ({ created_at: at }) => <Moment at={at} /> },
        { title: texts.status, of: ({ status }) => <Status of={status} /> },
        { title: texts.credits, of: ({ credits }) => number(credits), isNumber: true },
        {
          title: texts.amount,
          of: ({ amount, currency }) => money(amount, currency),
          isNumber: true,
        },
        { title: texts.provider, of: ({ provider }) => texts[provider], isWide: true },
      ]}
      idOf={(payment) => payment.payment_id}
      label={texts.payments}
      empty={<Empty title={texts.noPayments} />}
    />
  );
}
