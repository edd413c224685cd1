import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Dashboard } from '../api/client';
import { useFormats, useTexts } from '../texts';
import { DeliveryAttempts } from './deliveries';
import { Rows } from './list';
import { usePriceRule } from './price-rule';
import { Moment, Status } from './show';
import { Empty } from './states';

type Page = Dashboard['MessagePage'];

const TEXTS = {
  entries: ['Charge and refund', 'Débit et remboursement'],
  free: ['Nothing was charged', 'Rien n’a été facturé'],
  test: ['Test mode is free.', 'Le mode test est gratuit.'],
  time: ['Time', 'Heure'],
  kind: ['Kind', 'Nature'],
  charge: ['Charge', 'Débit'],
  refund: ['Refund', 'Remboursement'],
  top_up: ['Top-up', 'Rechargement'],
  credits: ['Credits', 'Crédits'],
  after: ['Balance after', 'Solde après'],
  rule: ['Price', 'Prix'],
  events: ['Events', 'Événements'],
  noEvents: ['No event yet', 'Aucun événement pour l’instant'],
  event: ['Event', 'Événement'],
  deliveries: ['Webhook deliveries', 'Livraisons de webhooks'],
  none: ['No endpoint subscribes to it.', 'Aucun point de réception n’y est abonné.'],
} as const;

/** What was charged by which price, and what was given back. */
export function Entries({ entries, isTest }: { entries: Page['entries']; isTest: boolean }) {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  const rule = usePriceRule();
  return (
    <Rows
      isCards
      rows={entries}
      idOf={({ id }) => id}
      label={texts.entries}
      empty={<Empty title={texts.free}>{isTest ? texts.test : ''}</Empty>}
      columns={[
        { title: texts.time, of: ({ created_at: at }) => <Moment at={at} /> },
        { title: texts.kind, of: ({ kind }) => texts[kind] },
        {
          title: texts.credits,
          of: ({ credits }) => (credits > 0 ? `+${number(credits)}` : number(credits)),
          isNumber: true,
        },
        {
          title: texts.rule,
          of: ({ price_rule: name }) => (name === null ? '—' : rule(name)),
        },
        {
          title: texts.after,
          of: ({ balance_after: after }) => number(after),
          isNumber: true,
          isWide: true,
        },
      ]}
    />
  );
}

/** The events of a message, each with its deliveries. */
export function Events({ events }: { events: Page['events'] }) {
  const texts = useTexts(TEXTS);
  return (
    <Rows
      isCards
      rows={events}
      idOf={({ id }) => id}
      label={texts.events}
      empty={<Empty title={texts.noEvents} />}
      columns={[
        {
          title: texts.event,
          of: ({ type, occurred_at: at }) => (
            <>
              <Text size="sm" fw={500}>
                {type}
              </Text>
              <Text size="xs" c="dimmed">
                <Moment at={at} />
              </Text>
            </>
          ),
        },
        {
          title: texts.deliveries,
          of: ({ deliveries }) =>
            deliveries.length === 0 ? (
              <Text size="sm" c="dimmed">
                {texts.none}
              </Text>
            ) : (
              <Stack gap="sm">
                {deliveries.map((delivery) => (
                  <div key={delivery.id}>
                    <Status of={delivery.status} />{' '}
                    <Anchor
                      component={Link}
                      to={`/webhooks/${delivery.endpoint_id}`}
                      size="sm"
                      style={{ overflowWrap: 'anywhere' }}
                    >
                      {delivery.url}
                    </Anchor>
                    <DeliveryAttempts {...delivery} />
                  </div>
                ))}
              </Stack>
            ),
        },
      ]}
    />
  );
}
