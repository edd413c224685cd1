import {
  Anchor,
  Group,
  NumberInput,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Tabs,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, newKey, type Operator, operator, Refusal } from '../../api/client';
import { Ask, Form } from '../../parts/act';
import { PagedRows } from '../../parts/list';
import { Facts, Moment, Status, Value } from '../../parts/show';
import { Empty, Loaded, PageTitle } from '../../parts/states';
import { useFormats, useTexts } from '../../texts';
import { WorkspaceAccess } from './workspace-access';

const TEXTS = {
  back: ['All workspaces', 'Tous les espaces'],
  id: ['ID', 'Identifiant'],
  balance: ['Balance', 'Solde'],
  bought: ['Bought', 'Achetés'],
  country: ['Billing country', 'Pays de facturation'],
  created: ['Since', 'Depuis'],
  pending: ['Trial credits pending', 'Crédits d’essai en attente'],
  suspend: ['Suspend', 'Suspendre'],
  reopen: ['Lift the suspension', 'Lever la suspension'],
  ask: ['The reason is recorded.', 'Le motif est enregistré.'],
  confirm: ['Confirm', 'Confirmer'],
  confirmAsk: ['Its trial credits are entered.', 'Ses crédits d’essai sont inscrits.'],
  topUp: ['Enter credits', 'Inscrire des crédits'],
  credits: ['Credits', 'Crédits'],
  kind: ['Kind', 'Nature'],
  charge: ['Charge', 'Débit'],
  refund: ['Refund', 'Remboursement'],
  top_up: ['Top-up', 'Rechargement'],
  bonus: ['Bonus', 'Bonus'],
  purchase: ['Purchase', 'Achat'],
  trial: ['Trial credits', 'Crédits d’essai'],
  adjustment: ['Adjustment', 'Correction'],
  note: ['Note', 'Note'],
  plan: ['Plan', 'Forfait'],
  segments: ['SMS segments a month', 'Segments de SMS par mois'],
  emails: ['Emails a month', 'E-mails par mois'],
  setPlan: ['Set the plan', 'Définir le forfait'],
  noPlan: ['Remove the plan', 'Retirer le forfait'],
  noPlanAsk: ['Every message is charged from then on.', 'Chaque message est alors facturé.'],
  access: ['Keys, webhook, restrictions', 'Clés, webhook, restrictions'],
  ledger: ['Ledger', 'Grand livre'],
  time: ['Time', 'Heure'],
  after: ['Balance after', 'Solde après'],
  message: ['Message or note', 'Message ou note'],
  none: ['The ledger is empty', 'Le grand livre est vide'],
  messages: ['Messages of this workspace', 'Messages de cet espace'],
  audit: ['Audit of this workspace', 'Audit de cet espace'],
} as const;

const TOP_UPS = ['bonus', 'purchase', 'trial', 'adjustment'] as const;

type Workspace = Operator['Workspace'];

export function Workspace() {
  const texts = useTexts(TEXTS);
  const { id = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['workspace', id],
    queryFn: () =>
      answerOf(operator.GET('/operator/v1/workspaces/{id}', { params: { path: { id } } })),
  });
  return (
    <>
      <Anchor component={Link} to="/operator/workspaces" size="sm">
        ← {texts.back}
      </Anchor>
      <Loaded query={query}>{(workspace) => <Details workspace={workspace} />}</Loaded>
    </>
  );
}

function Details({ workspace }: { workspace: Workspace }) {
  const texts = useTexts(TEXTS);
  const { number, country } = useFormats();
  const { workspace_id: id, name, suspended = false, trial_credits_pending: pending } = workspace;
  const path = { id };
  return (
    <Stack>
      <PageTitle title={name}>
        <Status of={suspended ? 'suspended' : 'active'} />
        {pending !== undefined && pending > 0 && (
          <Ask
            label={texts.confirm}
            question={texts.confirmAsk}
            onConfirm={() =>
              answerOf(operator.POST('/operator/v1/workspaces/{id}/confirm', { params: { path } }))
            }
          />
        )}
        <Suspension id={id} suspended={suspended} />
      </PageTitle>
      <Paper withBorder p="md">
        <Facts
          facts={[
            [texts.id, <Value key="id">{id}</Value>],
            [texts.balance, number(workspace.balance)],
            [texts.bought, number(workspace.purchased_credits)],
            [texts.country, country(workspace.billing_country ?? '')],
            [texts.pending, pending],
            [texts.created, <Moment key="at" at={workspace.created_at} />],
          ]}
        />
      </Paper>
      <Group>
        <Anchor
          component={Link}
          to="/operator/messages"
          search={{ workspace_id: id } as never}
          size="sm"
        >
          {texts.messages}
        </Anchor>
        <Anchor
          component={Link}
          to="/operator/audit"
          search={{ workspace_id: id } as never}
          size="sm"
        >
          {texts.audit}
        </Anchor>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <TopUp id={id} />
        <Plan id={id} />
      </SimpleGrid>
      <Tabs defaultValue="ledger" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="ledger">{texts.ledger}</Tabs.Tab>
          <Tabs.Tab value="access">{texts.access}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="ledger">
          <Ledger id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="access">
          <WorkspaceAccess id={id} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Suspension({ id, suspended }: { id: string; suspended: boolean }) {
  const texts = useTexts(TEXTS);
  const path = { id };
  return (
    <Ask
      label={suspended ? texts.reopen : texts.suspend}
      question={texts.ask}
      withReason
      color={suspended ? undefined : 'red'}
      onConfirm={(reason) =>
        answerOf(
          operator.PATCH('/operator/v1/workspaces/{id}', {
            params: { path },
            body: { suspended: !suspended, reason },
          }),
        )
      }
    />
  );
}

/** Credits are entered once for each opened form, also when the button is pressed again after an error. */
function TopUp({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const [key, setKey] = useState(newKey);
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} mb="sm">
        {texts.topUp}
      </Title>
      <Form
        submitLabel={texts.topUp}
        onSubmit={async ({ credits, kind = 'bonus', note }) => {
          await answerOf(
            operator.POST('/operator/v1/workspaces/{id}/top-ups', {
              params: { path: { id }, header: key },
              body: { credits: Number(credits), kind: kind as 'bonus', ...(note && { note }) },
            }),
          );
          setKey(newKey());
        }}
      >
        <NumberInput name="credits" label={texts.credits} required allowDecimal={false} />
        <Select
          name="kind"
          label={texts.kind}
          data={TOP_UPS.map((value) => ({ value, label: texts[value] }))}
          defaultValue="bonus"
          allowDeselect={false}
        />
        <TextInput name="note" label={texts.note} />
      </Form>
    </Paper>
  );
}

async function readPlan(id: string): Promise<Operator['Plan'] | null> {
  try {
    return await answerOf(
      operator.GET('/operator/v1/workspaces/{id}/plan', { params: { path: { id } } }),
    );
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

function Plan({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const query = useQuery({ queryKey: ['plan', id], queryFn: () => readPlan(id) });
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} mb="sm">
        {texts.plan}
      </Title>
      <Loaded query={query}>
        {(plan) => (
          <>
            <Form
              submitLabel={texts.setPlan}
              onSubmit={({ segments, emails }) =>
                answerOf(
                  operator.PUT('/operator/v1/workspaces/{id}/plan', {
                    params: { path: { id } },
                    body: {
                      sms_segments_per_month: Number(segments),
                      emails_per_month: Number(emails),
                    },
                  }),
                )
              }
            >
              <NumberInput
                name="segments"
                label={texts.segments}
                required
                min={0}
                defaultValue={plan?.sms_segments_per_month ?? 0}
              />
              <NumberInput
                name="emails"
                label={texts.emails}
                required
                min={0}
                defaultValue={plan?.emails_per_month ?? 0}
              />
            </Form>
            {plan && (
              <Group mt="sm">
                <Ask
                  label={texts.noPlan}
                  question={texts.noPlanAsk}
                  color="red"
                  onConfirm={() =>
                    answerOf(
                      operator.DELETE('/operator/v1/workspaces/{id}/plan', {
                        params: { path: { id } },
                      }),
                    )
                  }
                />
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Paper>
  );
}

function Ledger({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  return (
    <PagedRows<Operator['LedgerEntry']>
      isCards
      queryKey={['ledger', id]}
      read={(cursor) =>
        answerOf(
          operator.GET('/operator/v1/workspaces/{id}/ledger', {
            params: { path: { id }, query: { limit: 20, ...(cursor && { cursor }) } },
          }),
        )
      }
      idOf={(entry) => entry.id}
      label={texts.ledger}
      empty={<Empty title={texts.none} />}
      columns={[
        { title: texts.time, of: ({ created_at: at }) => <Moment at={at} /> },
        { title: texts.kind, of: ({ kind, top_up_kind: more }) => texts[more ?? kind] },
        {
          title: texts.credits,
          of: ({ credits }) => (credits > 0 ? `+${number(credits)}` : number(credits)),
          isNumber: true,
        },
        { title: texts.after, of: ({ balance_after: after }) => number(after), isNumber: true },
        {
          title: texts.message,
          of: ({ message_id: message, note }) =>
            message ? (
              <Anchor component={Link} to={`/operator/messages/${message}`} className="code">
                {message}
              </Anchor>
            ) : (
              note
            ),
          isWide: true,
        },
      ]}
    />
  );
}
