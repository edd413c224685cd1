import { Alert, JsonInput, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, type Operator, operator } from '../../api/client';
import { Form } from '../../parts/act';
import { Loaded, PageTitle } from '../../parts/states';
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
  bad: ['This is no JSON', 'Ce n’est pas du JSON'],
  warning: [
    'New messages are charged by the new list at once.',
    'Les nouveaux messages sont facturés aussitôt selon la nouvelle liste.',
  ],
} as const;

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
              <Form
                submitLabel={texts.save}
                onSubmit={({ list: text = '' }) =>
                  answerOf(
                    operator.PUT('/operator/v1/prices', {
                      body: JSON.parse(text) as Operator['PriceList'],
                    }),
                  )
                }
              >
                <JsonInput
                  name="list"
                  label={texts.list}
                  description={texts.help}
                  validationError={texts.bad}
                  defaultValue={JSON.stringify(list, null, 2)}
                  autosize
                  minRows={12}
                  maxRows={30}
                  required
                />
              </Form>
            </Stack>
          </Paper>
        )}
      </Loaded>
    </>
  );
}
