import { Anchor, Badge, Group, NumberInput, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, dashboard } from '../api/client';
import { FormButton } from '../parts/act';
import { KeyList, RightsFields, rightsOf } from '../parts/keys';
import { Rows } from '../parts/list';
import { ShownOnce, Snippet } from '../parts/show';
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
  budget: ['Credits a day (agents)', 'Crédits par jour (agents)'],
  key: ['Key', 'Clé'],
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
      <ShownOnce text={texts.once} label={texts.key} value={created} />
      <KeyList
        queryKey={['keys']}
        read={(cursor) =>
          answerOf(
            dashboard.GET('/dashboard/keys', {
              params: { query: { limit: 20, ...(cursor && { cursor }) } },
            }),
          )
        }
        revoke={(id) =>
          answerOf(dashboard.DELETE('/dashboard/keys/{id}', { params: { path: { id } } }))
        }
        empty={<Empty title={texts.none}>{texts.noneHelp}</Empty>}
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
  const { mode } = useMode();
  return (
    <FormButton
      label={texts.create}
      onSubmit={async ({ name, budget, ...rights }) => {
        const { key } = await answerOf(
          dashboard.POST('/dashboard/keys', {
            body: {
              ...(name && { name }),
              ...rightsOf(rights),
              ...(budget && { daily_budget_credits: Number(budget) }),
            },
          }),
        );
        onKey(key);
      }}
    >
      <TextInput name="name" label={texts.name} maxLength={100} />
      <RightsFields mode={mode} />
      <NumberInput name="budget" label={texts.budget} min={1} allowDecimal={false} />
    </FormButton>
  );
}
