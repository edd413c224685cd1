import {
  Anchor,
  Badge,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Tabs,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { answerOf, type Dashboard, dashboard } from '../api/client';
import { Ask, FormButton } from '../parts/act';
import { useChoices } from '../parts/choices';
import { PagedRows, Rows } from '../parts/list';
import { PERMISSION_TEXTS } from '../parts/permissions';
import { Moment, Snippet, Status, Value } from '../parts/show';
import { Empty, PageTitle } from '../parts/states';
import { snippetsOf } from '../parts/snippets';
import { useMode } from '../session';
import { useTexts } from '../texts';

const TEXTS = {
  title: ['Developers', 'Développeurs'],
  keys: ['API keys', 'Clés d’API'],
  numbers: ['Test numbers', 'Numéros de test'],
  first: ['First call', 'Premier appel'],
  create: ['Create a key', 'Créer une clé'],
  name: ['Name', 'Nom'],
  mode: ['Mode', 'Mode'],
  permission: ['Permission', 'Permission'],
  ...PERMISSION_TEXTS,
  budget: ['Credits a day (agents)', 'Crédits par jour (agents)'],
  key: ['Key', 'Clé'],
  made: ['Created', 'Créée'],
  by: ['By', 'Par'],
  revoke: ['Revoke', 'Révoquer'],
  revokeAsk: [
    'Programs with this key are refused at once.',
    'Les programmes avec cette clé sont refusés aussitôt.',
  ],
  once: [
    'This key is shown once. Store it safely.',
    'Cette clé n’est montrée qu’une fois. Gardez-la en lieu sûr.',
  ],
  none: ['No key yet', 'Aucune clé'],
  noneHelp: [
    'A program needs a key to send messages.',
    'Un programme a besoin d’une clé pour envoyer des messages.',
  ],
  reference: ['API reference', 'Référence de l’API'],
  number: ['Last two digits', 'Deux derniers chiffres'],
  result: ['What happens', 'Ce qui se passe'],
  numbersHelp: [
    'With a test key, the last two digits of a reserved number decide what happens: +23480300000NN in Nigeria, +2547120000NN in Kenya, +120255501NN in the United States. The code of a test message is 123456.',
    'Avec une clé de test, les deux derniers chiffres d’un numéro réservé décident du résultat : +23480300000NN au Nigeria, +2547120000NN au Kenya, +120255501NN aux États-Unis. Le code d’un message de test est 123456.',
  ],
  noNumbers: ['None', 'Aucun'],
} as const;

/** As in docs/guides/try-failures.md. */
const NUMBERS = [
  ['00', 'Delivered at once', 'Remis aussitôt'],
  ['03', 'Accepted, no receipt ever', 'Accepté, sans accusé'],
  ['11', 'Failed: the phone was switched off', 'Échec : téléphone éteint'],
  ['16', 'Failed: no provider serves the destination', 'Échec : destination non desservie'],
  ['20', 'Failed: the recipient opted out', 'Échec : destinataire désinscrit'],
  ['29', 'Failed: the provider did not answer', 'Échec : fournisseur muet'],
  ['33', 'Refused: not enough credits (402)', 'Refusé : crédits insuffisants (402)'],
  ['36', 'Refused: too many requests (429)', 'Refusé : trop de requêtes (429)'],
  ['40', 'A text that the content filter blocks', 'SMS bloqué par le filtre de contenu'],
  [
    '50',
    'The first carrier is down, the second delivers',
    'Premier fournisseur en panne, le second remet',
  ],
  ['61', 'A code that is expired at once', 'Code expiré aussitôt'],
  ['62', 'A code with a single check', 'Code avec une seule vérification'],
] as const;

type Key = Dashboard['ApiKey'];

export function Developers() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  return (
    <>
      <PageTitle title={texts.title}>
        <Anchor href="/docs" size="sm">
          {texts.reference}
        </Anchor>
      </PageTitle>
      <Tabs defaultValue="keys" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="keys">{texts.keys}</Tabs.Tab>
          <Tabs.Tab value="first">{texts.first}</Tabs.Tab>
          <Tabs.Tab value="numbers">{texts.numbers}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="keys">
          <Keys />
        </Tabs.Panel>
        <Tabs.Panel value="first">
          <Stack>
            {snippetsOf('/v1/otp/send', { phone_number: '+2348030000000' }, mode).map(
              ({ language, code }) => (
                <Snippet key={language} label={language} code={code} />
              ),
            )}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="numbers">
          <TestNumbers />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Keys() {
  const texts = useTexts(TEXTS);
  const [created, setCreated] = useState<string>();
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <CreateKey onKey={setCreated} />
      </Group>
      {created && (
        <Paper withBorder p="md" mb="md" role="status">
          <Text size="sm" mb="xs">
            {texts.once}
          </Text>
          <Value label={texts.key}>{created}</Value>
        </Paper>
      )}
      <PagedRows<Key>
        queryKey={['keys']}
        read={(cursor) =>
          answerOf(
            dashboard.GET('/dashboard/keys', {
              params: { query: { limit: 20, ...(cursor && { cursor }) } },
            }),
          )
        }
        idOf={(key) => key.key_id}
        label={texts.keys}
        empty={<Empty title={texts.none}>{texts.noneHelp}</Empty>}
        columns={[
          {
            title: texts.key,
            of: ({ name, prefix, last4 }) => (
              <>
                <Text size="sm" fw={500}>
                  {name}
                </Text>
                <span className="code">
                  {prefix}…{last4}
                </span>
              </>
            ),
          },
          { title: texts.mode, of: (key) => <Status of={key.revoked_at ? 'revoked' : key.mode} /> },
          { title: texts.permission, of: ({ permission }) => texts[permission], isWide: true },
          { title: texts.made, of: ({ created_at: at }) => <Moment at={at} />, isWide: true },
          { title: texts.by, of: ({ created_by: maker }) => maker?.email ?? '', isWide: true },
          {
            title: '​',
            of: ({ key_id: id, revoked_at: revoked }) =>
              revoked === null && (
                <Ask
                  label={texts.revoke}
                  question={texts.revokeAsk}
                  color="red"
                  onConfirm={() =>
                    answerOf(dashboard.DELETE('/dashboard/keys/{id}', { params: { path: { id } } }))
                  }
                />
              ),
          },
        ]}
      />
    </>
  );
}

function TestNumbers() {
  const texts = useTexts(TEXTS);
  const rows = useTexts(
    Object.fromEntries(NUMBERS.map(([digits, en, fr]) => [digits, [en, fr] as const])),
  );
  return (
    <Stack>
      <Text size="sm">{texts.numbersHelp}</Text>
      <Rows
        rows={NUMBERS}
        idOf={([digits]) => digits}
        label={texts.numbers}
        empty={<Empty title={texts.noNumbers} />}
        columns={[
          { title: texts.number, of: ([digits]) => <Badge variant="default">{digits}</Badge> },
          { title: texts.result, of: ([digits]) => rows[digits] },
        ]}
      />
    </Stack>
  );
}

function CreateKey({ onKey }: { onKey: (key: string) => void }) {
  const texts = useTexts(TEXTS);
  const choices = useChoices();
  const { mode } = useMode();
  return (
    <FormButton
      label={texts.create}
      onSubmit={async ({ name, mode: chosen, permission, budget }) => {
        const { key } = await answerOf(
          dashboard.POST('/dashboard/keys', {
            body: {
              ...(name && { name }),
              mode: chosen === 'test' ? 'test' : 'live',
              permission: (permission ?? 'full') as Key['permission'],
              ...(budget && { daily_budget_credits: Number(budget) }),
            },
          }),
        );
        onKey(key);
      }}
    >
      <TextInput name="name" label={texts.name} maxLength={100} />
      <Select
        name="mode"
        label={texts.mode}
        data={choices('live', 'test')}
        defaultValue={mode}
        allowDeselect={false}
      />
      <Select
        name="permission"
        label={texts.permission}
        defaultValue="full"
        allowDeselect={false}
        data={(['full', 'sending', 'otp', 'agent'] as const).map((value) => ({
          value,
          label: texts[value],
        }))}
      />
      <NumberInput name="budget" label={texts.budget} min={1} allowDecimal={false} />
    </FormButton>
  );
}
