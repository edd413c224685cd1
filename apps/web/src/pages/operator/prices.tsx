import { Alert, FileInput, JsonInput, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, type Operator, operator } from '../../api/client';
import { Form } from '../../parts/act';
import { Rows } from '../../parts/list';
import { Empty, Loaded, PageTitle } from '../../parts/states';
import { fill, useFormats, useTexts } from '../../texts';

const TEXTS = {
  title: ['Prices', 'Prix'],
  now: [
    'A credit costs {price}. A country that is not listed costs {n} credits a segment.',
    'Un crédit coûte {price}. Un pays hors liste coûte {n} crédits par segment.',
  ],
  list: ['Price list', 'Liste de prix'],
  help: [
    'The whole list as JSON. It replaces the present one.',
    'Toute la liste en JSON. Elle remplace l’actuelle.',
  ],
  save: ['Replace the list', 'Remplacer la liste'],
  chooseFile: ['Choose a file', 'Choisir un fichier'],
  file: ['Take the list from a file', 'Prendre la liste dans un fichier'],
  preview: ['What changes', 'Ce qui change'],
  same: ['Nothing changes', 'Rien ne change'],
  what: ['Country or network', 'Pays ou réseau'],
  before: ['Now', 'Actuel'],
  after: ['New', 'Nouveau'],
  change: ['Change', 'Écart'],
  price: ['Price of a credit, in hundredths', 'Prix d’un crédit, en centièmes'],
  default: ['Other countries', 'Autres pays'],
  bad: ['This is no JSON', 'Ce n’est pas du JSON'],
  warning: [
    'New messages are charged by the new list at once.',
    'Les nouveaux messages sont facturés aussitôt selon la nouvelle liste.',
  ],
} as const;

type List = Operator['PriceList'];

export function Prices() {
  const texts = useTexts(TEXTS);
  const { money, number } = useFormats();
  const query = useQuery({
    queryKey: ['price-list'],
    queryFn: () => answerOf(operator.GET('/operator/v1/prices')),
  });
  return (
    <>
      <PageTitle title={texts.title} />
      <Loaded query={query}>
        {(list) => (
          <Paper withBorder p="md">
            <Stack>
              <Text size="sm">
                {fill(texts.now, {
                  price: money(list.credit_price.amount, list.credit_price.currency),
                  n: number(list.default_credits),
                })}
              </Text>
              <Alert variant="outline" color="yellow" p="xs">
                {texts.warning}
              </Alert>
              <Editor list={list} />
            </Stack>
          </Paper>
        )}
      </Loaded>
    </>
  );
}

/** Edits the list or takes it from a file, and shows what changes before it is replaced. */
function Editor({ list }: { list: List }) {
  const texts = useTexts(TEXTS);
  const [text, setText] = useState(JSON.stringify(list, null, 2));
  const next = listIn(text);
  return (
    <Form
      submitLabel={texts.save}
      onSubmit={() => answerOf(operator.PUT('/operator/v1/prices', { body: JSON.parse(text) }))}
    >
      <FileInput
        label={texts.file}
        placeholder={texts.chooseFile}
        accept=".json,application/json"
        clearable
        maw={420}
        onChange={(file) => void file?.text().then(setText)}
      />
      <JsonInput
        label={texts.list}
        description={texts.help}
        validationError={texts.bad}
        value={text}
        onChange={setText}
        autosize
        minRows={12}
        maxRows={30}
        required
      />
      {next && <Preview before={list} after={next} />}
    </Form>
  );
}

function listIn(text: string): List | undefined {
  try {
    const list = JSON.parse(text) as Partial<List>;
    return list.countries && list.credit_price ? (list as List) : undefined;
  } catch {
    return undefined;
  }
}

interface Change {
  name: string;
  before: number | undefined;
  after: number | undefined;
}

function Preview({ before, after }: { before: List; after: List }) {
  const texts = useTexts(TEXTS);
  const { number, share } = useFormats();
  const changes = changesOf(before, after, texts);
  const shown = (value: number | undefined) => (value === undefined ? '—' : number(value));
  return (
    <div>
      <Title order={2} mb="sm">
        {texts.preview}
      </Title>
      <Rows
        rows={changes}
        idOf={({ name }) => name}
        label={texts.preview}
        empty={<Empty title={texts.same} />}
        columns={[
          { title: texts.what, of: ({ name }) => name },
          { title: texts.before, of: (one) => shown(one.before), isNumber: true },
          { title: texts.after, of: (one) => shown(one.after), isNumber: true },
          {
            title: texts.change,
            of: (one) => (one.before && one.after ? share(one.after / one.before - 1) : ''),
            isNumber: true,
          },
        ]}
      />
    </div>
  );
}

function changesOf(before: List, after: List, texts: { price: string; default: string }): Change[] {
  const old = pricesOf(before, texts);
  const next = pricesOf(after, texts);
  return [...new Set([...old.keys(), ...next.keys()])]
    .map((name) => ({ name, before: old.get(name), after: next.get(name) }))
    .filter((change) => change.before !== change.after);
}

function pricesOf(list: List, texts: { price: string; default: string }): Map<string, number> {
  const { amount, currency } = list.credit_price;
  const countries = Object.entries(list.countries).flatMap(([code, { credits, networks = [] }]) => [
    [code, credits] as const,
    ...networks.map((network) => [`${code} ${network.name}`, network.credits] as const),
  ]);
  return new Map([
    [`${texts.price} (${currency})`, amount],
    [texts.default, list.default_credits],
    ...countries,
  ]);
}
