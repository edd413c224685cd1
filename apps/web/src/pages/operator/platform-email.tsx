import { Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, operator } from '../../api/client';
import { Ask, Form } from '../../parts/act';
import { Moment, Status } from '../../parts/show';
import { Empty, Loaded } from '../../parts/states';
import { useTexts } from '../../texts';
import { Records } from '../senders/domains';

const TEXTS = {
  none: ['Account emails are off', 'Les e-mails de compte sont désactivés'],
  noneHelp: [
    'PLATFORM_EMAIL_FROM names their sender.',
    'PLATFORM_EMAIL_FROM en nomme l’expéditeur.',
  ],
  from: ['Sender:', 'Expéditeur :'],
  verify: ['Check now', 'Vérifier maintenant'],
  verifyAsk: [
    'The records are looked up in the DNS.',
    'Les enregistrements sont cherchés dans le DNS.',
  ],
  checked: ['Checked:', 'Vérifié :'],
  allow: ['Allow an address again', 'Autoriser une adresse à nouveau'],
  allowHelp: [
    'An address that bounced gets no account emails until then.',
    'Une adresse qui a rejeté un e-mail n’en reçoit plus jusque-là.',
  ],
  address: ['Address', 'Adresse'],
} as const;

/** The sender of account emails, its domain, and addresses that get none. */
export function PlatformEmail() {
  const texts = useTexts(TEXTS);
  const query = useQuery({
    queryKey: ['platform-email'],
    queryFn: () => answerOf(operator.GET('/operator/v1/platform-email')),
  });
  return (
    <Loaded query={query}>
      {({ from, domain }) =>
        from === null ? (
          <Empty title={texts.none}>{texts.noneHelp}</Empty>
        ) : (
          <Stack>
            <Group>
              <Text size="sm">
                {texts.from} <strong>{from}</strong>
              </Text>
              {domain && <Status of={domain.status} />}
              <Ask
                label={texts.verify}
                question={texts.verifyAsk}
                onConfirm={() => answerOf(operator.POST('/operator/v1/platform-email/verify'))}
              />
              {domain && (
                <Text size="xs" c="dimmed">
                  {texts.checked} <Moment at={domain.last_checked_at} />
                </Text>
              )}
            </Group>
            {domain && <Records records={domain.records} />}
            <Title order={2}>{texts.allow}</Title>
            <Form
              submitLabel={texts.allow}
              onSubmit={({ address = '' }) =>
                answerOf(
                  operator.DELETE('/operator/v1/platform-email/suppressions/{address}', {
                    params: { path: { address } },
                  }),
                )
              }
            >
              <TextInput
                name="address"
                type="email"
                label={texts.address}
                description={texts.allowHelp}
                required
                maw={420}
              />
            </Form>
          </Stack>
        )
      }
    </Loaded>
  );
}
