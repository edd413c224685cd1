import { Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { fill, useFormats, useTexts } from '../texts';
import { type Page, PagedRows } from './list';
import { Moment, Status } from './show';
import { Empty } from './states';

const TEXTS = {
  deliveries: ['Deliveries', 'Livraisons'],
  event: ['Event', 'Événement'],
  status: ['Status', 'Statut'],
  time: ['Created', 'Créé'],
  attempts: ['Attempts', 'Tentatives'],
  latency: ['{n} ms', '{n} ms'],
  next: ['next attempt:', 'prochaine tentative :'],
  earlier: ['{n} earlier attempts', '{n} tentatives avant'],
  earlierOne: ['1 earlier attempt', '1 tentative avant'],
  none: ['Nothing was delivered yet', 'Aucune livraison pour l’instant'],
  noneHelp: ['Send a test event, or a message.', 'Envoyez un événement de test, ou un message.'],
  noAnswer: ['no answer', 'pas de réponse'],
  replay: ['replay', 'rejeu'],
} as const;

interface Attempt {
  attempted_at: string;
  status_code: number | null;
  latency_ms: number;
  response_body: string | null;
  error: string | null;
}

export interface Delivery {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  replay_of?: string | null;
  next_attempt_at: string | null;
  created_at: string;
  attempts: Attempt[];
}

/** Deliveries of an endpoint with every attempt. */
export function Deliveries({
  queryKey,
  read,
  action,
}: {
  queryKey: readonly unknown[];
  read: (cursor: string | undefined) => Promise<Page<Delivery>>;
  action?: (delivery: Delivery) => ReactNode;
}) {
  const texts = useTexts(TEXTS);
  return (
    <PagedRows
      isCards
      queryKey={queryKey}
      read={read}
      refetchMs={5_000}
      idOf={({ id }) => id}
      label={texts.deliveries}
      empty={<Empty title={texts.none}>{texts.noneHelp}</Empty>}
      columns={[
        {
          title: texts.event,
          of: ({ event_type: type, event_id: id, replay_of: replayed }) => (
            <>
              <Text size="sm" fw={500}>
                {type}
                {replayed ? ` (${texts.replay})` : ''}
              </Text>
              <Text size="xs" c="dimmed" className="code">
                {id}
              </Text>
            </>
          ),
        },
        { title: texts.status, of: ({ status }) => <Status of={status} /> },
        { title: texts.attempts, of: (delivery) => <DeliveryAttempts {...delivery} /> },
        { title: texts.time, of: ({ created_at: at }) => <Moment at={at} />, isWide: true },
        ...(action ? [{ title: '', isAction: true, of: action }] : []),
      ]}
    />
  );
}

/** The last attempt with its answer, which opens, and those before it. */
export function DeliveryAttempts({ attempts, next_attempt_at: next }: Omit<Delivery, 'id'>) {
  const texts = useTexts(TEXTS);
  const last = attempts.at(-1);
  const earlier = attempts.slice(0, -1).toReversed();
  return (
    <>
      {last && <OneAttempt {...last} />}
      {next && (
        <Text size="xs" c="dimmed">
          {texts.next} <Moment at={next} />
        </Text>
      )}
      {earlier.length > 0 && (
        <details>
          <Text component="summary" size="xs" c="dimmed" style={{ cursor: 'pointer' }}>
            {fill(earlier.length === 1 ? texts.earlierOne : texts.earlier, { n: earlier.length })}
          </Text>
          {earlier.map((attempt) => (
            <OneAttempt key={attempt.attempted_at} {...attempt} />
          ))}
        </details>
      )}
    </>
  );
}

function OneAttempt({
  attempted_at: at,
  status_code: code,
  latency_ms: latency,
  response_body: body,
  error,
}: Attempt) {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        <Text span inherit fw={600}>
          {code ?? texts.noAnswer}
        </Text>{' '}
        <Text span size="xs" c="dimmed">
          {fill(texts.latency, { n: number(latency) })}
        </Text>
      </Text>
      <Stack gap={4} mb="xs">
        <Text size="xs">
          <Moment at={at} />
        </Text>
        {error && <Text size="xs">{error}</Text>}
        {body && (
          <Code block tabIndex={0} mah={160} style={{ overflow: 'auto' }}>
            {body}
          </Code>
        )}
      </Stack>
    </details>
  );
}
