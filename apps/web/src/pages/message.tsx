import { Alert, Anchor, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { answerOf, type Mode, newKey, Refusal, type V1, v1 } from '../api/client';
import { Ask } from '../parts/act';
import { Attempts, Hops } from '../parts/course';
import { useReasons } from '../parts/reasons';
import { Facts, Moment, Status, Value } from '../parts/show';
import { Empty, Loaded, PageTitle } from '../parts/states';
import { useMode } from '../session';
import { useFormats, useTexts } from '../texts';
import { handset } from '../theme';

type Kind = 'otp' | 'sms' | 'email';
type Detail =
  | ({ kind: 'otp' } & V1['Otp'])
  | ({ kind: 'sms' } & V1['SmsDetails'])
  | ({ kind: 'email' } & V1['Email']);

const TEXTS = {
  otp: ['One-time password', 'Code à usage unique'],
  sms: ['Text message', 'SMS'],
  email: ['Email', 'E-mail'],
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
  expires: ['Expires', 'Expire'],
  attemptsLeft: ['Checks used', 'Vérifications'],
  language: ['Language', 'Langue'],
  timeline: ['Timeline', 'Chronologie'],
  attempts: ['Attempts', 'Tentatives'],
  content: ['Content', 'Contenu'],
  metadata: ['Metadata', 'Métadonnées'],
  resend: ['Resend', 'Renvoyer'],
  resendAsk: [
    'Send a new text with the same code? A resend is charged as the first send.',
    'Renvoyer le même code ? Un renvoi est facturé comme le premier envoi.',
  ],
  cancel: ['Cancel', 'Annuler'],
  cancelAsk: ['Cancel this message?', 'Annuler ce message ?'],
  ledger: ['Open the ledger', 'Ouvrir le grand livre'],
  deliveries: ['Webhook deliveries', 'Livraisons de webhooks'],
  shown: ['Look at the handset', 'Voir le téléphone'],
  otherMode: ['Look for it in {mode} mode', 'Le chercher en mode {mode}'],
  missing: ['No message of this mode has this ID', 'Aucun message de ce mode n’a cet identifiant'],
} as const;

const OPEN = new Set(['pending', 'queued', 'scheduled', 'sent']);
const LIVE_MS = 2_000;

export function Message() {
  const texts = useTexts(TEXTS);
  const { kind = 'any', id = '' } = useParams({ strict: false }) as { kind?: string; id?: string };
  const { mode, setMode } = useMode();
  const query = useQuery({
    queryKey: ['message', mode, kind, id],
    queryFn: () => read(kind, id),
    refetchInterval: ({ state }) => (state.data && OPEN.has(state.data.status) ? LIVE_MS : false),
  });
  const isMissing = query.error instanceof Refusal && query.error.status === 404;
  const other: Mode = mode === 'live' ? 'test' : 'live';
  return (
    <>
      <Anchor component={Link} to="/messages" size="sm">
        ← {texts.back}
      </Anchor>
      {isMissing && query.data === undefined ? (
        <Empty title={texts.missing}>
          <Button mt="sm" variant="default" onClick={() => setMode(other)}>
            {texts.otherMode.replace('{mode}', other)}
          </Button>
        </Empty>
      ) : (
        <Loaded query={query}>{(message) => <Details message={message} />}</Loaded>
      )}
    </>
  );
}

async function read(kind: string, id: string): Promise<Detail> {
  const params = { params: { path: { id } } };
  const readers: Record<Kind, () => Promise<Detail>> = {
    otp: async () => ({ kind: 'otp', ...(await answerOf(v1.GET('/v1/otp/{id}', params))) }),
    sms: async () => ({ kind: 'sms', ...(await answerOf(v1.GET('/v1/sms/{id}', params))) }),
    email: async () => ({ kind: 'email', ...(await answerOf(v1.GET('/v1/emails/{id}', params))) }),
  };
  if (kind in readers) return readers[kind as Kind]();
  let refusal: unknown;
  for (const reader of Object.values(readers)) {
    try {
      return await reader();
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

function Details({ message }: { message: Detail }) {
  const texts = useTexts(TEXTS);
  return (
    <Stack gap="lg">
      <PageTitle title={texts[message.kind]}>
        <Status of={message.status} />
        <Actions message={message} />
      </PageTitle>
      <Reason message={message} />
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
      <div>
        <Title order={2} mb="sm">
          {texts.attempts}
        </Title>
        <Attempts attempts={message.provider_attempts} />
      </div>
      <Group>
        <Anchor component={Link} to="/money" size="sm">
          {texts.ledger}
        </Anchor>
        <Anchor component={Link} to="/webhooks" size="sm">
          {texts.deliveries}
        </Anchor>
        {handset !== '' && (
          <Anchor
            href={message.kind === 'email' ? `${handset}emails` : handset}
            target="_blank"
            rel="noreferrer"
            size="sm"
          >
            {texts.shown}
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}

function reasonOf(message: Detail): string | undefined {
  if (message.kind === 'email') return message.error_code ?? undefined;
  return message.reason;
}

function Reason({ message }: { message: Detail }) {
  const reasons = useReasons();
  const reason = reasonOf(message);
  if (!reason) return null;
  return (
    <Alert color="red" variant="outline" title={reasons(reason)}>
      <Text size="sm" className="code">
        {reason}
      </Text>
    </Alert>
  );
}

function Record({ message }: { message: Detail }) {
  const texts = useTexts(TEXTS);
  const { number, money, country } = useFormats();
  const refunded = 'refunded' in message && message.refunded ? ` (${texts.refunded})` : '';
  const common = [
    [texts.id, <Value key="id">{message.id}</Value>],
    [texts.created, <Moment key="at" at={message.created_at} />],
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
          [texts.language, language],
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
        [texts.network, carrier],
        [texts.segments, `${segments} (${encoding})`],
      ]}
    />
  );
}

function Content({ message }: { message: Detail }) {
  const texts = useTexts(TEXTS);
  const metadata = Object.keys(message.metadata).length > 0 ? message.metadata : undefined;
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

function Actions({ message }: { message: Detail }) {
  const texts = useTexts(TEXTS);
  const { kind, id, status } = message;
  const call = { params: { path: { id }, header: newKey() }, body: {} };
  const isOpen = OPEN.has(status);
  const canCancel = kind === 'otp' ? isOpen || status === 'delivered' : status === 'scheduled';
  return (
    <>
      {kind === 'otp' && (isOpen || status === 'delivered') && (
        <Ask
          label={texts.resend}
          question={texts.resendAsk}
          onConfirm={() => answerOf(v1.POST('/v1/otp/{id}/resend', call))}
        />
      )}
      {canCancel && (
        <Ask
          label={texts.cancel}
          question={texts.cancelAsk}
          color="red"
          onConfirm={async () => {
            if (kind === 'otp') await answerOf(v1.POST('/v1/otp/{id}/cancel', call));
            else if (kind === 'sms') await answerOf(v1.POST('/v1/sms/{id}/cancel', call));
            else await answerOf(v1.POST('/v1/emails/{id}/cancel', call));
          }}
        />
      )}
    </>
  );
}
