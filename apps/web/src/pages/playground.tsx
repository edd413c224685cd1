import {
  Alert,
  Anchor,
  Code,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { rewriteText } from '../../../../libs/telephony/src/rewrite';
import { answerOf, dashboard, newKey, v1 } from '../api/client';
import { type LiveEvent, useLive } from '../live';
import { Form } from '../parts/act';
import { KINDS } from '../parts/kinds';
import { SmsPreview } from '../parts/sms-preview';
import { Snippet, Status } from '../parts/show';
import { PageTitle } from '../parts/states';
import { snippetsOf } from '../parts/snippets';
import { useMember, useMode } from '../session';
import { useFormats, useTexts } from '../texts';
import { handset, simulatorPage } from '../page-meta';
import { NumberCheck } from './quote';

const TEXTS = {
  title: ['Playground', 'Essais'],
  channel: ['Channel', 'Canal'],
  ...KINDS,
  number: ['Phone number', 'Numéro de téléphone'],
  numberHelp: [
    'International, for example +2348030000000',
    'International, par exemple +2348030000000',
  ],
  message: ['Message', 'Message'],
  from: ['From', 'De'],
  fromHelp: [
    'An address of a verified domain, for example hello@mail.example.com',
    'Une adresse d’un domaine vérifié, par exemple bonjour@mail.example.com',
  ],
  to: ['To', 'À'],
  subject: ['Subject', 'Objet'],
  text: ['Text', 'Texte'],
  send: ['Send', 'Envoyer'],
  live: [
    'Live mode: the message is charged and reaches a carrier.',
    'Mode réel : le message est facturé et part chez un fournisseur SMS.',
  ],
  test: [
    'Test mode: nothing is charged and no carrier is asked.',
    'Mode test : rien n’est facturé ni transmis.',
  ],
  sent: ['Sent', 'Envoyé'],
  open: ['Open the message', 'Ouvrir le message'],
  same: ['The same call from a program', 'Le même appel depuis un programme'],
  handset: ['Handset', 'Téléphone'],
  mailbox: ['Mailbox', 'Courrier'],
  before: ['As written', 'Tel qu’écrit'],
  after: [
    'As sent, without characters that cost more',
    'Tel qu’envoyé, sans les caractères plus chers',
  ],
  events: ['Events', 'Événements'],
  waiting: ['They appear here as they come.', 'Ils apparaissent ici au fur et à mesure.'],
} as const;

type Kind = 'otp' | 'sms' | 'email';

interface SentMessage {
  kind: Kind;
  id: string;
  to: string;
}

const PATHS = { otp: '/v1/otp/send', sms: '/v1/sms/send', email: '/v1/emails' } as const;
const EXAMPLES: Record<Kind, Record<string, string>> = {
  otp: { phone_number: '+2348030000000' },
  sms: { phone_number: '+2348030000000', message: 'Your order has shipped.' },
  email: {
    from: 'hello@mail.example.com',
    to: 'ada@example.org',
    subject: 'Welcome',
    text: 'Your account is ready.',
  },
};

async function send(kind: Kind, values: Record<string, string>): Promise<SentMessage> {
  const params = { header: newKey() };
  const { phone_number = '', message = '', from = '', to = '', subject = '', text = '' } = values;
  if (kind === 'otp') {
    const { id } = await answerOf(v1.POST('/v1/otp/send', { params, body: { phone_number } }));
    return { kind, id, to: phone_number };
  }
  if (kind === 'sms') {
    const body = { phone_number, message, category: 'transactional' as const };
    const { id } = await answerOf(v1.POST('/v1/sms/send', { params, body }));
    return { kind, id, to: phone_number };
  }
  const { id } = await answerOf(
    v1.POST('/v1/emails', { params, body: { from, to, subject, text } }),
  );
  return { kind, id, to };
}

export function Playground() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const [kind, setKind] = useState<Kind>('otp');
  const [sent, setSent] = useState<SentMessage>();
  const [body, setBody] = useState(EXAMPLES.otp);
  const events = useLastEvents();
  const choose = (next: string) => {
    setKind(next as Kind);
    setBody(EXAMPLES[next as Kind]);
  };
  const field = (name: string) => ({
    name,
    required: true,
    value: body[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) =>
      setBody({ ...body, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <PageTitle title={texts.title} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <Paper withBorder p="md">
          <Stack>
            <Alert color={mode === 'live' ? 'indigo' : 'yellow'} variant="outline" p="xs">
              {texts[mode]}
            </Alert>
            <SegmentedControl
              aria-label={texts.channel}
              value={kind}
              onChange={choose}
              data={(['otp', 'sms', 'email'] as const).map((value) => ({
                value,
                label: texts[value],
              }))}
            />
            <Form
              submitLabel={texts.send}
              onSubmit={async (values) => setSent(await send(kind, values))}
            >
              <Fields kind={kind} field={field} />
            </Form>
            {sent && (
              <Sent {...sent} events={events.filter(({ data }) => data['id'] === sent.id)} />
            )}
          </Stack>
        </Paper>
        <Stack>
          <SameCall kind={kind} body={body} />
          <NumberCheck />
        </Stack>
      </SimpleGrid>
    </>
  );
}

interface Field {
  name: string;
  required: boolean;
  value: string;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

function Fields({ kind, field }: { kind: Kind; field: (name: string) => Field }) {
  const texts = useTexts(TEXTS);
  return (
    <>
      {kind !== 'email' && (
        <TextInput
          type="tel"
          label={texts.number}
          description={texts.numberHelp}
          {...field('phone_number')}
        />
      )}
      {kind === 'sms' && (
        <>
          <Textarea label={texts.message} autosize minRows={3} {...field('message')} />
          <Rewriting text={field('message').value} />
        </>
      )}
      {kind === 'email' && (
        <>
          <TextInput label={texts.from} description={texts.fromHelp} {...field('from')} />
          <TextInput label={texts.to} {...field('to')} />
          <TextInput label={texts.subject} {...field('subject')} />
          <Textarea label={texts.text} autosize minRows={3} {...field('text')} />
        </>
      )}
    </>
  );
}

/** The text as it leaves, and as it was written where that differs. */
function Rewriting({ text }: { text: string }) {
  const texts = useTexts(TEXTS);
  const { settings } = useMember().workspace;
  const { text: sent, rewritten } = rewriteText(text, settings.sms_rewriting ? 'standard' : 'off');
  if (!rewritten) return <SmsPreview text={sent} />;
  return (
    <>
      <Text size="xs" fw={600}>
        {texts.before}
      </Text>
      <SmsPreview text={text} />
      <Text size="xs" fw={600}>
        {texts.after}
      </Text>
      <SmsPreview text={sent} />
    </>
  );
}

const EVENTS_MAX = 200;

/** Follows the message that was sent last. */
function Sent({ kind, id, to, events }: SentMessage & { events: LiveEvent[] }) {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const { clock } = useFormats();
  const query = useQuery({
    queryKey: ['sent', mode, id],
    queryFn: async () => {
      const call = { params: { path: { id } } };
      return (await answerOf(dashboard.GET('/dashboard/messages/{id}', call))).message.status;
    },
  });
  return (
    <Paper withBorder p="sm" role="status">
      <Group justify="space-between">
        <Group gap="xs">
          <Text size="sm">{texts.sent}</Text>
          {query.data && <Status of={query.data} />}
        </Group>
        <Group gap="sm">
          {handset !== '' && (
            <Anchor
              size="sm"
              href={simulatorPage(kind === 'email' ? 'mailbox' : 'handset', to)}
              target="_blank"
              rel="noreferrer"
            >
              {kind === 'email' ? texts.mailbox : texts.handset}
            </Anchor>
          )}
          <Anchor component={Link} to={`/messages/${id}`} size="sm">
            {texts.open}
          </Anchor>
        </Group>
      </Group>
      <Title order={2} mt="md" mb="xs" fz="sm">
        {texts.events}
      </Title>
      {events.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.waiting}
        </Text>
      )}
      {events.map((event) => (
        <details key={event.sequence}>
          <Text component="summary" size="sm" className="code" style={{ cursor: 'pointer' }}>
            {event.type} · {clock(event.at)}
          </Text>
          <Code block tabIndex={0}>
            {JSON.stringify(event.data, null, 2)}
          </Code>
        </details>
      ))}
    </Paper>
  );
}

/** The last events of the workspace, as they come. */
function useLastEvents(): LiveEvent[] {
  const [events, setEvents] = useState<LiveEvent[]>([]);
  const add = useCallback((more: readonly LiveEvent[]) => {
    setEvents((old) => [...old, ...more].slice(-EVENTS_MAX));
  }, []);
  useLive(add);
  return events;
}

function SameCall({ kind, body }: { kind: Kind; body: object }) {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const snippets = snippetsOf(PATHS[kind], body, mode);
  return (
    <div>
      <Title order={2} mb="sm">
        {texts.same}
      </Title>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb="sm">
          {snippets.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language}>
            <Snippet label={language} code={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}
