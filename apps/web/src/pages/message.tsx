import { Anchor, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, type Dashboard, dashboard } from '../api/client';
import { networkName } from '../parts/carrier-name';
import { Attempts, Hops, Reason } from '../parts/course';
import { KIND_TITLES } from '../parts/kinds';
import { MessageActions, type OwnMessage } from '../parts/message-actions';
import { Entries, Events } from '../parts/message-money';
import { Facts, Moment, Status, Value } from '../parts/show';
import { Loaded, PageTitle } from '../parts/states';
import { useFormats, useTexts } from '../texts';
import { handset, simulatorPage } from '../page-meta';

type Page = Dashboard['MessagePage'];

const TEXTS = {
  ...KIND_TITLES,
  back: ['All messages', 'Tous les messages'],
  id: ['ID', 'Identifiant'],
  to: ['Recipient', 'Destinataire'],
  from: ['Sender', 'Expéditeur'],
  country: ['Country', 'Pays'],
  network: ['Network', 'Réseau'],
  charge: ['Charged', 'Facturé'],
  credits: ['credits', 'crédits'],
  refunded: ['refunded', 'remboursé'],
  segments: ['Segments', 'Segments'],
  created: ['Accepted', 'Accepté'],
  scheduled: ['Scheduled for', 'Planifié pour'],
  expires: ['Expires', 'Expire'],
  attemptsLeft: ['Checks used', 'Vérifications'],
  language: ['Language', 'Langue'],
  timeline: ['Timeline', 'Chronologie'],
  attempts: ['Attempts', 'Tentatives'],
  entries: ['Charge and refund', 'Débit et remboursement'],
  events: ['Events and deliveries', 'Événements et livraisons'],
  content: ['Content', 'Contenu'],
  original: ['As it was written', 'Texte d’origine'],
  metadata: ['Metadata', 'Métadonnées'],
  handset: ['Look at the handset', 'Voir le téléphone'],
  mailbox: ['Look at the mailbox', 'Voir la boîte de réception'],
} as const;

const LANGUAGES = { en: 'English', fr: 'Français' } as const;

/** Milliseconds between two reads while a webhook is tried again, which is no event. */
const DELIVERING_MS = 2_000;

export function Message() {
  const texts = useTexts(TEXTS);
  const { id = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['message', id],
    queryFn: () =>
      answerOf(dashboard.GET('/dashboard/messages/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (isDelivering(state.data) ? DELIVERING_MS : false),
  });
  return (
    <>
      <Anchor component={Link} to="/messages" size="sm" className="no-print">
        ← {texts.back}
      </Anchor>
      <Loaded query={query}>{(page) => <Details {...page} />}</Loaded>
    </>
  );
}

function isDelivering(page: Page | undefined): boolean {
  return (page?.events ?? []).some(({ deliveries }) =>
    deliveries.some(({ status }) => status === 'pending'),
  );
}

function Details({ message, attempts, entries, events }: Page) {
  const texts = useTexts(TEXTS);
  const reason = reasonOf(message);
  return (
    <Stack gap="lg">
      <PageTitle title={texts[message.kind]}>
        {message.test_mode && <Status of="test" />}
        <Status of={message.status} />
        <MessageActions key={message.id} message={message} />
      </PageTitle>
      {reason && <Reason of={reason} />}
      <Paper withBorder p="md">
        <Record message={message} />
      </Paper>
      <Group align="stretch" grow preventGrowOverflow={false}>
        <Paper withBorder p="md" miw={280}>
          <Title order={2} mb="md">
            {texts.timeline}
          </Title>
          <Hops timeline={message.timeline} />
        </Paper>
        <Content message={message} />
      </Group>
      <Section title={texts.attempts}>
        <Attempts attempts={attempts} />
      </Section>
      <Section title={texts.entries}>
        <Entries entries={entries} isTest={message.test_mode} />
      </Section>
      <Section title={texts.events}>
        <Events events={events} />
      </Section>
      <Received message={message} />
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </div>
  );
}

/** Leads to the simulator's handset or mailbox, where there is one. */
function Received({ message }: { message: OwnMessage }) {
  const texts = useTexts(TEXTS);
  if (handset === '') return null;
  const isEmail = message.kind === 'email';
  return (
    <Anchor
      href={
        isEmail
          ? simulatorPage('mailbox', message.to[0])
          : simulatorPage('handset', message.phone_number)
      }
      target="_blank"
      rel="noreferrer"
      size="sm"
      className="no-print"
    >
      {isEmail ? texts.mailbox : texts.handset}
    </Anchor>
  );
}

function reasonOf(message: OwnMessage): string | undefined {
  if (message.kind === 'email') return message.error_code ?? undefined;
  return message.reason;
}

function Record({ message }: { message: OwnMessage }) {
  const texts = useTexts(TEXTS);
  const { number, money, country } = useFormats();
  const refunded = 'refunded' in message && message.refunded ? ` (${texts.refunded})` : '';
  const common = [
    [texts.id, <Value key="id">{message.id}</Value>],
    [texts.created, <Moment key="at" at={message.created_at} />],
    [
      texts.scheduled,
      'send_at' in message && message.send_at ? (
        <Moment key="due" at={message.send_at} />
      ) : undefined,
    ],
  ] as const;
  if (message.kind === 'email') {
    const { from, to, cost } = message;
    return (
      <Facts
        facts={[
          ...common,
          [texts.from, from],
          [texts.to, to.join(', ')],
          [texts.charge, money(cost.amount_kobo, cost.currency)],
        ]}
      />
    );
  }
  const shared = [
    ...common,
    [texts.to, <Value key="to">{message.phone_number}</Value>],
    [texts.country, country(message.country_code)],
    [texts.charge, `${number(message.credit_cost)} ${texts.credits}${refunded}`],
  ] as const;
  if (message.kind === 'otp') {
    const { attempt_count: used, max_attempts: most, language, expires_at: expires } = message;
    return (
      <Facts
        facts={[
          ...shared,
          [texts.expires, <Moment key="expires" at={expires} />],
          [texts.attemptsLeft, `${used} / ${most}`],
          [texts.language, LANGUAGES[language]],
        ]}
      />
    );
  }
  const { from, carrier, segments, encoding } = message;
  return (
    <Facts
      facts={[
        ...shared,
        [texts.from, from],
        [texts.network, carrier && networkName(carrier)],
        [texts.segments, `${segments} (${encoding})`],
      ]}
    />
  );
}

function Content({ message }: { message: OwnMessage }) {
  const texts = useTexts(TEXTS);
  const metadata = Object.keys(message.metadata).length > 0 ? message.metadata : undefined;
  const original = message.kind === 'sms' ? message.original_message : undefined;
  const content =
    message.kind === 'sms'
      ? message.message
      : message.kind === 'email'
        ? `${message.subject}\n\n${message.text ?? message.html ?? ''}`
        : undefined;
  if (!content && !metadata) return null;
  return (
    <Paper withBorder p="md" miw={280} style={{ flex: 2 }}>
      {content && (
        <>
          <Title order={2} mb="md">
            {texts.content}
          </Title>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }} mb="md">
            {content}
          </Text>
        </>
      )}
      {original && (
        <>
          <Title order={2} mb="md">
            {texts.original}
          </Title>
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-wrap' }} mb="md">
            {original}
          </Text>
        </>
      )}
      {metadata && (
        <>
          <Title order={2} mb="xs">
            {texts.metadata}
          </Title>
          <Code block tabIndex={0}>
            {JSON.stringify(metadata, null, 2)}
          </Code>
        </>
      )}
    </Paper>
  );
}
