import { Badge, Button, Code, CopyButton, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MessageStatus } from '../api/client';
import { useFormats, useTexts } from '../texts';

const WORDED = {
  pending: ['Pending', 'En attente', 'gray.6'],
  queued: ['Queued', 'En file', 'gray.6'],
  scheduled: ['Scheduled', 'Planifié', 'gray.6'],
  sent: ['Sent', 'Envoyé', 'blue'],
  delivered: ['Delivered', 'Remis', 'green'],
  verified: ['Verified', 'Vérifié', 'teal'],
  expired: ['Expired', 'Expiré', 'yellow'],
  failed: ['Failed', 'Échec', 'red'],
  blocked: ['Blocked', 'Bloqué', 'red'],
  rejected: ['Rejected', 'Rejeté', 'red'],
  cancelled: ['Cancelled', 'Annulé', 'gray.6'],
  bounced: ['Bounced', 'Rejeté (bounce)', 'red'],
  complained: ['Complained', 'Plainte', 'red'],
  delayed: ['Delayed', 'Retardé', 'yellow'],
  enabled: ['Enabled', 'Actif', 'green'],
  disabled: ['Disabled', 'Désactivé', 'red'],
  active: ['Active', 'Actif', 'green'],
  approved: ['Approved', 'Approuvé', 'green'],
  suspended: ['Suspended', 'Suspendu', 'red'],
  drained: ['Drained', 'Vidé', 'yellow'],
  closed: ['Closed', 'Fermé', 'green'],
  open: ['Open', 'Ouvert', 'red'],
  probing: ['Probing', 'À l’essai', 'yellow'],
  paid: ['Paid', 'Payé', 'green'],
  refunded: ['Refunded', 'Remboursé', 'yellow'],
  disputed: ['Disputed', 'Contesté', 'red'],
  temporary_failure: ['Check failed', 'Contrôle échoué', 'yellow'],
  live: ['Live', 'Réel', 'indigo'],
  test: ['Test', 'Test', 'yellow'],
  revoked: ['Revoked', 'Révoquée', 'red'],
  accepted: ['Accepted', 'Accepté', 'green'],
  pass: ['Passes', 'Passe', 'green'],
  warn: ['Warning', 'Avertissement', 'yellow'],
  refuse: ['Refused', 'Refusé', 'red'],
} as const;

const WORDS = Object.fromEntries(
  Object.entries(WORDED).map(([name, [en, fr]]) => [name, [en, fr] as const]),
) as Record<keyof typeof WORDED, readonly [string, string]>;

/** Has every status of messages: the compiler refuses a missing one. */
const OF_MESSAGES: Record<MessageStatus, true> = {
  pending: true,
  scheduled: true,
  queued: true,
  sent: true,
  delivered: true,
  verified: true,
  expired: true,
  failed: true,
  blocked: true,
  rejected: true,
  bounced: true,
  complained: true,
  cancelled: true,
};
export const STATUSES = Object.keys(OF_MESSAGES) as MessageStatus[];

/** The words of statuses in the reader's language; an unknown one stays as it is. */
export function useStatusWord(): (status: string) => string {
  const words: Record<string, string> = useTexts(WORDS);
  return (status) => words[status] ?? status;
}

export function colorOf(status: string): string {
  return (WORDED as Record<string, readonly [string, string, string]>)[status]?.[2] ?? 'gray.6';
}

export function Status({ of }: { of: string }) {
  const word = useStatusWord();
  return (
    <Badge variant="dot" color={colorOf(of)} tt="none" fw={500} size="md" miw="max-content">
      {word(of)}
    </Badge>
  );
}

/** The status of a registration in one country. */
export function CountryStatus({
  country,
  status,
  note,
}: {
  country: string;
  status: string;
  note: string | undefined;
}) {
  return (
    <>
      <Group gap="xs" mb={4} wrap="nowrap">
        <Text size="sm" w={24}>
          {country}
        </Text>
        <Status of={status} />
      </Group>
      {note && <Text size="xs">{note}</Text>}
    </>
  );
}

export function Moment({ at }: { at: string | null | undefined }) {
  const { date, clock } = useFormats();
  if (!at) return <>—</>;
  // A narrow column has the time below the date.
  return (
    <time dateTime={at}>
      <span className="number">{date(at)}</span> <span className="number">{clock(at)}</span>
    </time>
  );
}

const COPY = { copy: ['Copy', 'Copier'], copied: ['Copied', 'Copié'] } as const;

export function Copy({ value, label }: { value: string; label?: string }) {
  const texts = useTexts(COPY);
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="compact-xs"
          variant="default"
          onClick={copy}
          aria-label={`${texts.copy}${label ? `: ${label}` : ''}`}
        >
          {copied ? texts.copied : texts.copy}
        </Button>
      )}
    </CopyButton>
  );
}

/** A value that people copy: an id, a key, a record. */
export function Value({ children, label }: { children: string; label?: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <span className="code">{children}</span>
      <span className="no-print">
        <Copy value={children} {...(label && { label })} />
      </span>
    </Group>
  );
}

/** A secret or a link that the server does not show again, once there is one. */
export function ShownOnce({
  text,
  label,
  value,
}: {
  text: string;
  label?: string;
  value: string | undefined;
}) {
  if (!value) return null;
  return (
    <Paper withBorder p="md" mb="md" role="status">
      <Text size="sm" mb="xs">
        {text}
      </Text>
      <Value {...(label && { label })}>{value}</Value>
    </Paper>
  );
}

export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="md" m={0}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} size="sm">
              {value}
            </Text>
          </div>
        ))}
    </SimpleGrid>
  );
}

export function Snippet({ code, label }: { code: string; label: string }) {
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="xs" c="dimmed">
          {label}
        </Text>
        <Copy value={code} label={label} />
      </Group>
      <Code block tabIndex={0} aria-label={label}>
        {code}
      </Code>
    </div>
  );
}
