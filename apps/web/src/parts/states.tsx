import { Alert, Anchor, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Refusal } from '../api/client';
import { useTexts } from '../texts';

const TEXTS = {
  loading: ['Loading', 'Chargement'],
  failed: ['This could not be loaded', 'Le chargement a échoué'],
  offline: [
    'The server cannot be reached. Check the connection.',
    'Le serveur est injoignable. Vérifiez la connexion.',
  ],
  searched: ['What you search for', 'Ce que vous cherchez'],
  request: ['Request', 'Requête'],
  again: ['Try again', 'Réessayer'],
  notFound: ['This page does not exist', 'Cette page n’existe pas'],
  home: ['Go to the overview', 'Aller à la vue d’ensemble'],
} as const;

export function Loading() {
  const texts = useTexts(TEXTS);
  return (
    <Center p="xl" role="status" aria-label={texts.loading}>
      <Loader type="dots" />
    </Center>
  );
}

/** The sentence of an error, for people: it begins with the label of its field instead of the API's name. */
export function useErrorText(): (error: unknown, form?: HTMLFormElement | null) => string {
  const texts = useTexts(TEXTS);
  return (error, form) => {
    if (!(error instanceof Refusal)) return texts.offline;
    const { field = '', message } = error;
    const label = field === 'q' ? texts.searched : labelIn(form, field);
    return label && message.startsWith(`${field} `) ? label + message.slice(field.length) : message;
  };
}

function labelIn(form: HTMLFormElement | null | undefined, field: string): string | undefined {
  const input = form?.elements.namedItem(field);
  const hasLabel = input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement;
  // A required field's label ends with an asterisk.
  return hasLabel ? input.labels?.[0]?.textContent.replace(/\s*\*$/, '') : undefined;
}

export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const texts = useTexts(TEXTS);
  const textOf = useErrorText();
  const id = error instanceof Refusal ? error.requestId : undefined;
  return (
    <Alert color="red" variant="outline" title={texts.failed} role="alert" my="md">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{textOf(error)}</Text>
        {id && (
          <Text size="xs" c="dimmed" className="code">
            {texts.request} {id}
          </Text>
        )}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.again}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Shows what a query returned, and what happens until then. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}

/** What a list shows when it has no rows. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center py="xl" px="md">
      <Stack gap="xs" align="center" maw={460} ta="center">
        <Text fw={600}>{title}</Text>
        {children && (
          <Text component="div" size="sm" c="dimmed">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  );
}

export function NotFound() {
  const texts = useTexts(TEXTS);
  return (
    <Center component="main" p="xl">
      <Stack align="center">
        <Title order={1}>{texts.notFound}</Title>
        <Anchor component={Link} to="/overview">
          {texts.home}
        </Anchor>
      </Stack>
    </Center>
  );
}

/** Characters; a longer title, such as a URL, has smaller letters. */
const LONG = 40;

export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Title order={1} {...(title.length > LONG && { fz: 'h2' })}>
        {title}
      </Title>
      <Group gap="sm">{children}</Group>
    </Group>
  );
}
