import { Anchor, Code, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, type Operator, operator } from '../../api/client';
import { Ask } from '../../parts/act';
import { Attempts, Hops, Reason } from '../../parts/course';
import { KIND_TITLES } from '../../parts/kinds';
import { Facts, Moment, Status, Value } from '../../parts/show';
import { Loaded, PageTitle } from '../../parts/states';
import { useFormats, useTexts } from '../../texts';
import { recipientOf } from './messages';

const TEXTS = {
  back: ['Support', 'Assistance'],
  reveal: ['Show what is hidden', 'Montrer ce qui est masqué'],
  ask: [
    'Recipient and text are shown. Your name and the reason are recorded.',
    'Le destinataire et le texte sont montrés. Votre nom et le motif sont enregistrés.',
  ],
  id: ['ID', 'Identifiant'],
  to: ['Recipient', 'Destinataire'],
  workspace: ['Workspace', 'Espace de travail'],
  created: ['Accepted', 'Accepté'],
  ...KIND_TITLES,
  country: ['Country', 'Pays'],
  charge: ['Charged', 'Facturé'],
  credits: ['credits', 'crédits'],
  refunded: ['refunded', 'remboursé'],
  timeline: ['Timeline', 'Chronologie'],
  attempts: ['Attempts', 'Tentatives'],
  record: ['Whole record', 'Enregistrement complet'],
} as const;

type Found = Operator['OperatorMessage'];
type FoundText = Exclude<Found, { kind: 'email' }>;

export function SupportMessage() {
  const texts = useTexts(TEXTS);
  const { id = '' } = useParams({ strict: false });
  const [reason, setReason] = useState<string>();
  const query = useQuery({
    queryKey: ['found', id, reason],
    queryFn: () => {
      const shown = reason === undefined ? {} : { query: { reveal: true, reason } };
      return answerOf(
        operator.GET('/operator/v1/messages/{id}', { params: { path: { id }, ...shown } }),
      );
    },
  });
  return (
    <>
      <Anchor component={Link} to="/operator/messages" size="sm">
        ← {texts.back}
      </Anchor>
      <Loaded query={query}>
        {(message) => (
          <Stack>
            <PageTitle title={texts[message.kind]}>
              {message.test_mode && <Status of="test" />}
              <Status of={message.status} />
              {!message.revealed && (
                <Ask
                  label={texts.reveal}
                  question={texts.ask}
                  withReason
                  onConfirm={async (given) => setReason(given)}
                />
              )}
            </PageTitle>
            <Details message={message} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** The workspace of the message, by its name. */
function WorkspaceLink({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['workspace', id],
    queryFn: () =>
      answerOf(operator.GET('/operator/v1/workspaces/{id}', { params: { path: { id } } })),
  });
  return (
    <Anchor component={Link} to={`/operator/workspaces/${id}`} size="sm">
      {query.data?.name ?? id}
    </Anchor>
  );
}

function Details({ message }: { message: Found }) {
  const texts = useTexts(TEXTS);
  const { id, workspace_id: workspace, created_at: created, timeline } = message;
  const { number, country } = useFormats();
  const reason = message.kind === 'email' ? undefined : message.reason;
  const chargeOf = ({ country_code: code, credit_cost: credits, refunded }: FoundText) =>
    [
      [texts.country, country(code)],
      [
        texts.charge,
        `${number(credits)} ${texts.credits}${refunded ? ` (${texts.refunded})` : ''}`,
      ],
    ] as const;
  return (
    <>
      {reason && <Reason of={reason} />}
      <Paper withBorder p="md">
        <Facts
          facts={[
            [texts.id, <Value key="id">{id}</Value>],
            [texts.to, recipientOf(message)],
            [texts.workspace, <WorkspaceLink key="workspace" id={workspace} />],
            [texts.created, <Moment key="at" at={created} />],
            ...(message.kind === 'email' ? [] : chargeOf(message)),
          ]}
        />
      </Paper>
      <Title order={2}>{texts.timeline}</Title>
      <Hops timeline={timeline} />
      <Title order={2}>{texts.attempts}</Title>
      <Attempts
        attempts={message.provider_attempts.map((attempt, index) => ({
          ...attempt,
          reason: message.attempt_reasons?.[index] ?? null,
        }))}
      />
      <details>
        <Text component="summary" style={{ cursor: 'pointer' }}>
          {texts.record}
        </Text>
        <Code block tabIndex={0}>
          {JSON.stringify(message, null, 2)}
        </Code>
      </details>
    </>
  );
}
