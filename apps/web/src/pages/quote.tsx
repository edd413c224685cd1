import { Alert, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { answerOf, newKey, type V1, v1 } from '../api/client';
import { Form } from '../parts/act';
import { networkName } from '../parts/carrier-name';
import { Rows } from '../parts/list';
import { Facts, Status } from '../parts/show';
import { useFormats, useTexts } from '../texts';

const TEXTS = {
  title: ['What would this number do?', 'Que ferait ce numéro ?'],
  help: ['Nothing is sent and nothing is charged.', 'Rien n’est envoyé et rien n’est facturé.'],
  number: ['Number to check', 'Numéro à vérifier'],
  text: ['Text (a code without it)', 'Texte (un code s’il est vide)'],
  sender: ['Sender ID', 'Expéditeur'],
  ask: ['Check', 'Vérifier'],
  country: ['Country', 'Pays'],
  network: ['Network', 'Réseau'],
  price: ['Price', 'Prix'],
  credits: ['credits', 'crédits'],
  segments: ['Segments', 'Segments'],
  rewritten: ['As it would be sent', 'Tel qu’il serait envoyé'],
  gate: ['Check', 'Contrôle'],
  verdict: ['Result', 'Résultat'],
  why: ['Why', 'Pourquoi'],
  balance: ['Balance', 'Solde'],
  gateCountry: ['Country enabled', 'Pays activé'],
  prefix: ['Prefix not restricted', 'Préfixe non restreint'],
  number_limit: ['Limit of the number', 'Limite du numéro'],
  sender_id: ['Sender ID', 'Expéditeur'],
  dnd: ['Do Not Disturb', 'Ne pas déranger'],
  content: ['Content', 'Contenu'],
} as const;

type Quote = V1['Quote'];

/** Asks what a send would cost and which check would stop it. */
export function NumberCheck() {
  const texts = useTexts(TEXTS);
  const [quote, setQuote] = useState<Quote>();
  return (
    <Paper withBorder p="md">
      <Title order={2} mb="xs">
        {texts.title}
      </Title>
      <Stack>
        <Form
          submitLabel={texts.ask}
          onSubmit={async ({ number: phone_number = '', text, sender }) => {
            const body = text
              ? {
                  ...{ kind: 'sms' as const, phone_number, message: text },
                  category: 'transactional' as const,
                  ...(sender && { sender_id: sender }),
                }
              : { kind: 'otp' as const, phone_number };
            setQuote(await answerOf(v1.POST('/v1/quote', { params: { header: newKey() }, body })));
          }}
        >
          <Text size="sm" c="dimmed">
            {texts.help}
          </Text>
          <TextInput name="number" type="tel" label={texts.number} required />
          <TextInput name="text" label={texts.text} />
          <TextInput name="sender" label={texts.sender} maxLength={11} />
        </Form>
        {quote && <Answer quote={quote} />}
      </Stack>
    </Paper>
  );
}

function Answer({ quote }: { quote: Quote }) {
  const texts = useTexts(TEXTS);
  const { number, money, country } = useFormats();
  const { credits, price, country_code: code, network, segments, encoding, gates } = quote;
  const names = { ...texts, country: texts.gateCountry };
  return (
    <>
      <Facts
        facts={[
          [texts.country, code && country(code)],
          [texts.network, network && networkName(network)],
          [
            texts.price,
            `${number(credits)} ${texts.credits} (${money(price.amount, price.currency)})`,
          ],
          [texts.segments, `${segments} (${encoding})`],
        ]}
      />
      {quote.rewritten && (
        <Alert variant="outline" title={texts.rewritten}>
          {quote.body}
        </Alert>
      )}
      <Rows
        rows={gates}
        idOf={({ gate }) => gate}
        label={texts.title}
        empty={null}
        columns={[
          { title: texts.gate, of: ({ gate }) => names[gate] },
          { title: texts.verdict, of: ({ verdict }) => <Status of={verdict} /> },
          { title: texts.why, of: ({ message }) => message ?? '' },
        ]}
      />
    </>
  );
}
