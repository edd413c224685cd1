import { Anchor, Group, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, newKey, type V1, v1 } from '../api/client';
import { Ask, FormButton, useAction } from '../parts/act';
import { Deliveries } from '../parts/deliveries';
import { useEventNames } from '../parts/events';
import { Facts, Moment, Status } from '../parts/show';
import { Loaded, PageTitle } from '../parts/states';
import { useMode } from '../session';
import { fill, useTexts } from '../texts';
import { SecretOnce, TEXTS as SHARED } from './webhooks';

const TEXTS = {
  ...SHARED,
  back: ['All endpoints', 'Tous les points de réception'],
  enabled: ['Deliver events', 'Livrer les événements'],
  recover: ['Recover a period', 'Rattraper une période'],
  since: ['Since', 'Depuis'],
  recovered: [
    '{done} of {total} events delivered again',
    '{done} événements sur {total} livrés à nouveau',
  ],
  replay: ['Replay', 'Rejouer'],
  replayAsk: ['The event is posted once more.', 'L’événement est envoyé une fois de plus.'],
} as const;

export function Webhook() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const { id = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['webhook', mode, id],
    queryFn: () => answerOf(v1.GET('/v1/webhooks/{id}', { params: { path: { id } } })),
  });
  return (
    <>
      <Anchor component={Link} to="/webhooks" size="sm">
        ← {texts.back}
      </Anchor>
      <Loaded query={query}>{(webhook) => <Endpoint webhook={webhook} />}</Loaded>
    </>
  );
}

function Endpoint({ webhook }: { webhook: V1['Webhook'] }) {
  const texts = useTexts(TEXTS);
  const navigate = useNavigate();
  const eventNames = useEventNames();
  const [secret, setSecret] = useState<string>();
  const { id, url, status, events, disabled_reason: reason, created_at: created } = webhook;
  const path = { id };
  const keyed = () => ({ params: { path, header: newKey() }, body: {} });
  return (
    <Stack>
      <PageTitle title={url}>
        <Status of={status} />
      </PageTitle>
      <SecretOnce secret={secret} />
      <Paper withBorder p="md">
        <Stack>
          <Facts
            facts={[
              [texts.events, eventNames(events)],
              [texts.description, webhook.description],
              [texts.created, <Moment key="at" at={created} />],
            ]}
          />
          {reason && <Text size="sm">{reason}</Text>}
          <Group>
            <Enabled webhook={webhook} />
            <Ask
              label={texts.test}
              question={texts.testAsk}
              onConfirm={() => answerOf(v1.POST('/v1/webhooks/{id}/test', keyed()))}
            />
            <Ask
              label={texts.rotate}
              question={texts.rotateAsk}
              onConfirm={async () =>
                setSecret(
                  (await answerOf(v1.POST('/v1/webhooks/{id}/rotate-secret', keyed()))).secret,
                )
              }
            />
            <Recover id={id} />
            <Ask
              label={texts.remove}
              question={texts.removeAsk}
              color="red"
              onConfirm={async () => {
                await answerOf(v1.DELETE('/v1/webhooks/{id}', { params: { path } }));
                await navigate({ to: '/webhooks' });
              }}
            />
          </Group>
        </Stack>
      </Paper>
      <Title order={2}>{texts.deliveries}</Title>
      <EndpointDeliveries id={id} />
    </Stack>
  );
}

const POLL_MS = 1_000;

function Recover({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const [recovery, setRecovery] = useState<string>();
  const query = useQuery({
    queryKey: ['recovery', id, recovery],
    enabled: recovery !== undefined,
    queryFn: () =>
      answerOf(
        v1.GET('/v1/webhooks/{id}/recover/{recovery_id}', {
          params: { path: { id, recovery_id: recovery ?? '' } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'done' ? false : POLL_MS),
  });
  return (
    <>
      <FormButton
        size="compact-sm"
        variant="default"
        label={texts.recover}
        onSubmit={async ({ since = '' }) => {
          const started = await answerOf(
            v1.POST('/v1/webhooks/{id}/recover', {
              params: { path: { id }, header: newKey() },
              body: { since: new Date(since).toISOString() },
            }),
          );
          setRecovery(started.id);
        }}
      >
        <TextInput name="since" type="datetime-local" label={texts.since} required />
      </FormButton>
      {query.data && (
        <Text size="sm" role="status">
          {fill(texts.recovered, { done: query.data.done, total: query.data.total })}
        </Text>
      )}
    </>
  );
}

function Enabled({ webhook: { id, status } }: { webhook: V1['Webhook'] }) {
  const texts = useTexts(TEXTS);
  const path = { id };
  const enabling = useAction((next: boolean) =>
    answerOf(
      v1.PATCH('/v1/webhooks/{id}', {
        params: { path },
        body: { status: next ? 'enabled' : 'disabled' },
      }),
    ),
  );
  return (
    <Switch
      label={texts.enabled}
      checked={status === 'enabled'}
      disabled={enabling.isPending}
      onChange={(event) => enabling.mutate(event.currentTarget.checked)}
    />
  );
}

function EndpointDeliveries({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const path = { id };
  return (
    <Deliveries
      queryKey={['deliveries', mode, id]}
      read={(cursor) =>
        answerOf(
          v1.GET('/v1/webhooks/{id}/deliveries', {
            params: { path, query: { limit: 20, ...(cursor && { cursor }) } },
          }),
        )
      }
      action={(delivery) => (
        <Ask
          label={texts.replay}
          question={texts.replayAsk}
          onConfirm={() =>
            answerOf(
              v1.POST('/v1/webhook-deliveries/{id}/replay', {
                params: { path: { id: delivery.id }, header: newKey() },
                body: {},
              }),
            )
          }
        />
      )}
    />
  );
}
