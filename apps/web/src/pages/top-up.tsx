import { Alert, NumberInput, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, type Dashboard, dashboard } from '../api/client';
import { Ask, Form } from '../parts/act';
import { Loaded } from '../parts/states';
import { fill, useFormats, useTexts } from '../texts';

const TEXTS = {
  topUp: ['Automatic top-up', 'Rechargement automatique'],
  enabled: [
    'Buy credits when the balance falls below the threshold',
    'Acheter des crédits sous le seuil',
  ],
  threshold: ['Threshold', 'Seuil'],
  cap: ['Most credits a month', 'Crédits au plus par mois'],
  save: ['Save', 'Enregistrer'],
  thisMonth: ['Bought this month: {n} credits.', 'Acheté ce mois-ci : {n} crédits.'],
  card: ['Saved card: {provider}', 'Carte enregistrée : {provider}'],
  noCard: [
    'No card is saved. Buy credits and keep the card to use this.',
    'Aucune carte enregistrée. Achetez des crédits en gardant la carte.',
  ],
  forget: ['Delete the saved card', 'Supprimer la carte'],
  forgetAsk: [
    'Automatic top-up is turned off, too.',
    'Le rechargement automatique est aussi désactivé.',
  ],
  credits: ['Credits', 'Crédits'],
} as const;

/** The page's part about automatic top-up. */
export function TopUp() {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  const query = useQuery({
    queryKey: ['top-up'],
    queryFn: () => answerOf(dashboard.GET('/dashboard/top-up')),
  });
  return (
    <Loaded query={query}>
      {(settings) => (
        <Paper withBorder p="md" maw={560}>
          <Stack>
            <Title order={2}>{texts.topUp}</Title>
            {settings.disabled_reason && (
              <Alert color="red" variant="outline" title={settings.disabled_reason} />
            )}
            <Text size="sm">
              {settings.authorisation
                ? fill(texts.card, { provider: settings.authorisation.provider })
                : texts.noCard}{' '}
              {fill(texts.thisMonth, { n: number(settings.bought_this_month) })}
            </Text>
            <Rule settings={settings} />
            {settings.authorisation && (
              <Ask
                label={texts.forget}
                question={texts.forgetAsk}
                onConfirm={() => answerOf(dashboard.DELETE('/dashboard/top-up/authorisation'))}
              />
            )}
          </Stack>
        </Paper>
      )}
    </Loaded>
  );
}

function Rule({ settings }: { settings: Dashboard['TopUpSettings'] }) {
  const texts = useTexts(TEXTS);
  const { enabled, threshold, credits, monthly_cap_credits: cap } = settings;
  return (
    <Form
      submitLabel={texts.save}
      onSubmit={(values) =>
        answerOf(
          dashboard.PUT('/dashboard/top-up', {
            body: {
              enabled: values['enabled'] !== undefined,
              threshold: Number(values['threshold']),
              credits: Number(values['credits']),
              monthly_cap_credits: Number(values['cap']),
            },
          }),
        )
      }
    >
      <Switch name="enabled" label={texts.enabled} defaultChecked={enabled} />
      <NumberInput
        name="threshold"
        label={texts.threshold}
        required
        min={1}
        defaultValue={threshold ?? 100}
      />
      <NumberInput
        name="credits"
        label={texts.credits}
        required
        min={1}
        defaultValue={credits ?? 1_000}
      />
      <NumberInput name="cap" label={texts.cap} required min={1} defaultValue={cap ?? 5_000} />
    </Form>
  );
}
