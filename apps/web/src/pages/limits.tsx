import { Stack, Text } from '@mantine/core';
import { Facts } from '../parts/show';
import { type Session, useMember } from '../session';
import { useFormats, useTexts } from '../texts';

/** Limits by their names in the settings. */
const LIMITS = {
  key_per_minute: ['Requests of a key a minute', 'Requêtes d’une clé par minute'],
  workspace_per_minute: ['Requests of all keys a minute', 'Requêtes de toutes les clés par minute'],
  variant_b_per_second: ['Requests a second', 'Requêtes par seconde'],
  variant_b_burst: ['Requests at once', 'Requêtes d’un coup'],
  otp_sends_per_number_per_10_minutes: [
    'Codes to a number in 10 minutes',
    'Codes à un numéro en 10 minutes',
  ],
  otp_verifications_per_number_per_10_minutes: [
    'Checks of a number’s codes in 10 minutes',
    'Vérifications des codes d’un numéro en 10 minutes',
  ],
  sms_per_number_per_minute: ['SMS to a number a minute', 'SMS à un numéro par minute'],
  otp_sends_per_prefix_per_hour: ['Codes to a prefix an hour', 'Codes à un préfixe par heure'],
  stored_bytes_max: ['Stored bytes', 'Octets conservés'],
} as const satisfies Record<
  keyof Session['workspace']['settings']['limits'],
  readonly [string, string]
>;

const TEXTS = {
  ...LIMITS,
  help: ['The platform sets these.', 'Fixées par la plateforme.'],
  none: ['none', 'aucune'],
} as const;

/** What the platform allows the workspace. */
export function Limits() {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  const { limits } = useMember().workspace.settings;
  const facts = (Object.keys(LIMITS) as (keyof typeof LIMITS)[]).map((name) => {
    const value = limits[name];
    return [texts[name], value === null ? texts.none : number(value)] as const;
  });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {texts.help}
      </Text>
      <Facts facts={facts} />
    </Stack>
  );
}
