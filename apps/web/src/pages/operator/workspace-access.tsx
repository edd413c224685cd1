import { Group, Stack, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { answerOf, operator } from '../../api/client';
import { Ask, Form, FormButton, useAction } from '../../parts/act';
import { Deliveries } from '../../parts/deliveries';
import { KeyList, RightsFields, rightsOf } from '../../parts/keys';
import { ShownOnce } from '../../parts/show';
import { Empty } from '../../parts/states';
import { useTexts } from '../../texts';

const TEXTS = {
  keys: ['API keys', 'Clés d’API'],
  create: ['Create a key', 'Créer une clé'],
  name: ['Name', 'Nom'],
  once: ['Shown once. Store it safely.', 'Montré une seule fois. Gardez-le en lieu sûr.'],
  noKeys: ['No key yet', 'Aucune clé'],
  webhook: ['Webhook of the workspace', 'Webhook de l’espace'],
  set: ['Set', 'Définir'],
  url: ['URL', 'URL'],
  rotate: ['Rotate the secret', 'Renouveler le secret'],
  rotateAsk: [
    'The old and the new secret both sign for 24 hours.',
    'L’ancien et le nouveau secret signent tous deux pendant 24 heures.',
  ],
  remove: ['Delete', 'Supprimer'],
  removeAsk: ['It gets no events any more.', 'Il ne reçoit plus d’événements.'],
  prefix: ['Prefix', 'Préfixe'],
  lift: ['Lift the restriction of a prefix', 'Lever la restriction d’un préfixe'],
  reason: ['Reason', 'Motif'],
  allow: ['Delete an email suppression', 'Retirer une suppression d’e-mail'],
  address: ['Address', 'Adresse'],
} as const;

/** Keys, webhook and restrictions of a workspace, for support that acts for its owner. */
export function WorkspaceAccess({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const [secret, setSecret] = useState<string>();
  return (
    <Stack>
      <ShownOnce text={texts.once} value={secret} />
      <Group justify="space-between">
        <Title order={2}>{texts.keys}</Title>
        <CreateKey id={id} onKey={setSecret} />
      </Group>
      <KeyList
        queryKey={['workspace-keys', id]}
        read={(cursor) =>
          answerOf(
            operator.GET('/operator/v1/workspaces/{id}/keys', {
              params: { path: { id }, query: { limit: 20, ...(cursor && { cursor }) } },
            }),
          )
        }
        revoke={(key) =>
          answerOf(operator.DELETE('/operator/v1/keys/{id}', { params: { path: { id: key } } }))
        }
        empty={<Empty title={texts.noKeys} />}
      />
      <Group justify="space-between">
        <Title order={2}>{texts.webhook}</Title>
        <Webhook id={id} onSecret={setSecret} />
      </Group>
      <Deliveries
        queryKey={['workspace-deliveries', id]}
        read={async (cursor) =>
          answerOf(
            operator.GET('/operator/v1/workspaces/{id}/webhook/deliveries', {
              params: { path: { id }, query: { limit: 20, ...(cursor && { cursor }) } },
            }),
          ).catch(nothingWithoutWebhook)
        }
      />
      <Restrictions id={id} />
    </Stack>
  );
}

/** A workspace without a webhook has no deliveries. */
function nothingWithoutWebhook(error: { status?: number }): { data: [] } {
  if (error.status === 404) return { data: [] };
  throw error;
}

function CreateKey({ id, onKey }: { id: string; onKey: (key: string) => void }) {
  const texts = useTexts(TEXTS);
  return (
    <FormButton
      label={texts.create}
      onSubmit={async ({ name, ...rights }) => {
        const { key } = await answerOf(
          operator.POST('/operator/v1/workspaces/{id}/keys', {
            params: { path: { id } },
            body: { ...(name && { name }), ...rightsOf(rights) },
          }),
        );
        onKey(key);
      }}
    >
      <TextInput name="name" label={texts.name} maxLength={100} />
      <RightsFields />
    </FormButton>
  );
}

function Webhook({ id, onSecret }: { id: string; onSecret: (secret: string) => void }) {
  const texts = useTexts(TEXTS);
  const call = { params: { path: { id } } };
  return (
    <Group gap="sm">
      <FormButton
        label={texts.set}
        size="compact-sm"
        variant="default"
        onSubmit={async ({ url = '' }) => {
          const { secret } = await answerOf(
            operator.PUT('/operator/v1/workspaces/{id}/webhook', { ...call, body: { url } }),
          );
          onSecret(secret);
        }}
      >
        <TextInput name="url" type="url" label={texts.url} required />
      </FormButton>
      <Ask
        label={texts.rotate}
        question={texts.rotateAsk}
        onConfirm={async () => {
          const { secret } = await answerOf(
            operator.POST('/operator/v1/workspaces/{id}/webhook/rotate-secret', call),
          );
          onSecret(secret);
        }}
      />
      <Ask
        label={texts.remove}
        question={texts.removeAsk}
        color="red"
        onConfirm={() => answerOf(operator.DELETE('/operator/v1/workspaces/{id}/webhook', call))}
      />
    </Group>
  );
}

function Restrictions({ id }: { id: string }) {
  const texts = useTexts(TEXTS);
  const lifting = useAction(({ prefix, reason }: { prefix: string; reason: string }) =>
    answerOf(
      operator.POST('/operator/v1/workspaces/{id}/prefixes/{prefix}/lift', {
        params: { path: { id, prefix } },
        body: { reason },
      }),
    ),
  );
  return (
    <>
      <Title order={2}>{texts.lift}</Title>
      <Form
        submitLabel={texts.lift}
        onSubmit={({ prefix = '', reason = '' }) => lifting.mutateAsync({ prefix, reason })}
      >
        <TextInput
          name="prefix"
          label={texts.prefix}
          placeholder="234803"
          required
          maw={420}
          inputMode="numeric"
        />
        <TextInput name="reason" label={texts.reason} required maxLength={500} maw={420} />
      </Form>
      <Title order={2}>{texts.allow}</Title>
      <Form
        submitLabel={texts.allow}
        onSubmit={({ address = '' }) =>
          answerOf(
            operator.DELETE('/operator/v1/workspaces/{id}/suppressions/{address}', {
              params: { path: { id, address } },
            }),
          )
        }
      >
        <TextInput name="address" type="email" label={texts.address} required maw={420} />
      </Form>
    </>
  );
}
