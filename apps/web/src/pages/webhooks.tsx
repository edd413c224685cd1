import {
  Anchor,
  Button,
  Group,
  MultiSelect,
  Paper,
  Stack,
  Tabs,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, type Dashboard, dashboard, newKey, Refusal, type V1, v1 } from '../api/client';
import { Ask, FormButton } from '../parts/act';
import { Deliveries } from '../parts/deliveries';
import { EVENTS, useEventNames } from '../parts/events';
import { PagedRows } from '../parts/list';
import { Facts, Moment, ShownOnce, Snippet, Status, Value } from '../parts/show';
import { Empty, Loaded, PageTitle } from '../parts/states';
import { VERIFIERS } from '../parts/verifiers';
import { useMode } from '../session';
import { useTexts } from '../texts';

export const TEXTS = {
  title: ['Webhooks', 'Webhooks'],
  endpoints: ['Endpoints', 'Points de réception'],
  workspace: ['Workspace webhook', 'Webhook de l’espace'],
  verify: ['Verify signatures', 'Vérifier les signatures'],
  add: ['Add an endpoint', 'Ajouter un point de réception'],
  url: ['URL', 'URL'],
  urlHelp: [
    'HTTPS, for example https://example.com/hooks',
    'HTTPS, par exemple https://example.com/hooks',
  ],
  events: ['Events', 'Événements'],
  allEvents: ['All events, when none is chosen', 'Tous, si aucun n’est choisi'],
  description: ['Description', 'Description'],
  status: ['Status', 'Statut'],
  created: ['Created', 'Créé'],
  none: ['No endpoint yet', 'Aucun point de réception'],
  noneHelp: [
    'Add an HTTPS address of your server, and each event of your messages is posted to it, signed.',
    'Ajoutez une adresse HTTPS de votre serveur : chaque événement y est envoyé, signé.',
  ],
  secret: ['Secret', 'Secret'],
  secretOnce: [
    'This secret is shown once. Store it on your server.',
    'Ce secret n’est montré qu’une fois. Gardez-le sur votre serveur.',
  ],
  rotate: ['Rotate the secret', 'Changer le secret'],
  rotateAsk: [
    'The old and the new secret both sign for 24 hours.',
    'L’ancien et le nouveau secret signent tous deux pendant 24 heures.',
  ],
  test: ['Send a test event', 'Envoyer un événement de test'],
  testAsk: [
    'A sample event is posted to the address.',
    'Un événement d’exemple est envoyé à l’adresse.',
  ],
  remove: ['Delete', 'Supprimer'],
  removeAsk: ['No event is posted to it any more.', 'Plus aucun événement n’y sera envoyé.'],
  set: ['Set the webhook', 'Définir le webhook'],
  noWorkspace: ['No workspace webhook is set', 'Aucun webhook de l’espace n’est défini'],
  noWorkspaceHelp: [
    'It posts events in the format of variant A, to one address, for both modes.',
    'Il envoie les événements au format de la variante A, à une adresse, dans les deux modes.',
  ],
  shownSecret: ['Show the secret', 'Montrer le secret'],
  deliveries: ['Deliveries', 'Livraisons'],
  language: ['Language', 'Langage'],
  verifyHelp: [
    'Compare in constant time, over the raw bytes of the body, and refuse timestamps older than five minutes.',
    'Comparez en temps constant, sur les octets bruts, et refusez les horodatages de plus de cinq minutes.',
  ],
} as const;

type Endpoint = V1['Webhook'];

export function Webhooks() {
  const texts = useTexts(TEXTS);
  return (
    <>
      <PageTitle title={texts.title} />
      <Tabs defaultValue="endpoints" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="endpoints">{texts.endpoints}</Tabs.Tab>
          <Tabs.Tab value="workspace">{texts.workspace}</Tabs.Tab>
          <Tabs.Tab value="verify">{texts.verify}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="endpoints">
          <Endpoints />
        </Tabs.Panel>
        <Tabs.Panel value="workspace">
          <WorkspaceWebhook />
        </Tabs.Panel>
        <Tabs.Panel value="verify">
          <Verify />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export function SecretOnce({ secret }: { secret: string | undefined }) {
  const texts = useTexts(TEXTS);
  return <ShownOnce text={texts.secretOnce} label={texts.secret} value={secret} />;
}

function Endpoints() {
  const texts = useTexts(TEXTS);
  const eventNames = useEventNames();
  const { mode } = useMode();
  const [secret, setSecret] = useState<string>();
  const [events, setEvents] = useState<string[]>([]);
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <FormButton
          label={texts.add}
          onSubmit={async ({ url = '', description }) => {
            const created = await answerOf(
              v1.POST('/v1/webhooks', {
                params: { header: newKey() },
                body: {
                  url,
                  events: (events.length === 0 ? ['*'] : events) as Endpoint['events'],
                  ...(description && { description }),
                },
              }),
            );
            setSecret(created.secret);
          }}
        >
          <TextInput name="url" type="url" label={texts.url} description={texts.urlHelp} required />
          <MultiSelect
            label={texts.events}
            description={texts.allEvents}
            data={[...EVENTS]}
            value={events}
            onChange={setEvents}
            searchable
          />
          <TextInput name="description" label={texts.description} maxLength={200} />
        </FormButton>
      </Group>
      <SecretOnce secret={secret} />
      <PagedRows<Endpoint>
        isCards
        queryKey={['webhooks', mode]}
        read={(cursor) =>
          answerOf(
            v1.GET('/v1/webhooks', { params: { query: { limit: 20, ...(cursor && { cursor }) } } }),
          )
        }
        columns={[
          {
            title: texts.url,
            of: (endpoint) => <EndpointLink {...endpoint} />,
          },
          { title: texts.status, of: ({ status }) => <Status of={status} /> },
          { title: texts.events, of: ({ events: heard }) => eventNames(heard), isWide: true },
          { title: texts.created, of: ({ created_at: at }) => <Moment at={at} />, isWide: true },
        ]}
        idOf={({ id }) => id}
        label={texts.endpoints}
        empty={<Empty title={texts.none}>{texts.noneHelp}</Empty>}
      />
    </>
  );
}

function EndpointLink({ id, url, description }: Endpoint) {
  return (
    <>
      <Anchor component={Link} to={`/webhooks/${id}`} className="code">
        {url}
      </Anchor>
      <Text size="xs" c="dimmed">
        {description ?? ''}
      </Text>
    </>
  );
}

async function readOwn(): Promise<Dashboard['WorkspaceWebhook'] | null> {
  try {
    return await answerOf(dashboard.GET('/dashboard/webhook'));
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

function WorkspaceWebhook() {
  const texts = useTexts(TEXTS);
  const query = useQuery({ queryKey: ['own-webhook'], queryFn: readOwn });
  return (
    <Loaded query={query}>
      {(webhook) => (
        <Stack>
          <Group justify="flex-end">
            <FormButton
              label={texts.set}
              onSubmit={({ url = '' }) =>
                answerOf(dashboard.PUT('/dashboard/webhook', { body: { url } }))
              }
            >
              <TextInput
                name="url"
                type="url"
                label={texts.url}
                description={texts.urlHelp}
                required
                defaultValue={webhook?.url}
              />
            </FormButton>
          </Group>
          {webhook ? (
            <Own webhook={webhook} />
          ) : (
            <Paper withBorder>
              <Empty title={texts.noWorkspace}>{texts.noWorkspaceHelp}</Empty>
            </Paper>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function Own({ webhook }: { webhook: Dashboard['WorkspaceWebhook'] }) {
  const texts = useTexts(TEXTS);
  const eventNames = useEventNames();
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Paper withBorder p="md">
        <Stack>
          <Facts
            facts={[
              [
                texts.url,
                <span key="url" className="code">
                  {webhook.url}
                </span>,
              ],
              [texts.status, <Status key="status" of={webhook.status} />],
              [texts.events, eventNames(webhook.events)],
              [
                texts.secret,
                isShown ? (
                  <Value key="secret">{webhook.secret}</Value>
                ) : (
                  <Button
                    key="show"
                    size="compact-xs"
                    variant="default"
                    onClick={() => setShown(true)}
                  >
                    {texts.shownSecret}
                  </Button>
                ),
              ],
            ]}
          />
          {webhook.disabled_reason && <Text size="sm">{webhook.disabled_reason}</Text>}
          <Group>
            <Ask
              label={texts.test}
              question={texts.testAsk}
              onConfirm={() => answerOf(dashboard.POST('/dashboard/webhook/test'))}
            />
            <Ask
              label={texts.rotate}
              question={texts.rotateAsk}
              onConfirm={() => answerOf(dashboard.POST('/dashboard/webhook/rotate-secret'))}
            />
            <Ask
              label={texts.remove}
              question={texts.removeAsk}
              color="red"
              onConfirm={() => answerOf(dashboard.DELETE('/dashboard/webhook'))}
            />
          </Group>
        </Stack>
      </Paper>
      <Title order={2}>{texts.deliveries}</Title>
      <Deliveries
        queryKey={['own-deliveries']}
        read={(cursor) =>
          answerOf(
            dashboard.GET('/dashboard/webhook/deliveries', {
              params: { query: { limit: 20, ...(cursor && { cursor }) } },
            }),
          )
        }
      />
    </>
  );
}

function Verify() {
  const texts = useTexts(TEXTS);
  return (
    <Stack>
      <Text size="sm">{texts.verifyHelp}</Text>
      <Tabs defaultValue={VERIFIERS[0].language} keepMounted={false}>
        <Tabs.List>
          {VERIFIERS.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {VERIFIERS.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language} pt="md">
            <Snippet label={language} code={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
