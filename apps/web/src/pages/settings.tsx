import {
  Alert,
  NumberInput,
  Paper,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, type Dashboard, dashboard } from '../api/client';
import { Form, FormButton } from '../parts/act';
import { useChoices } from '../parts/choices';
import { PageTitle } from '../parts/states';
import { SESSION_KEY, useMember } from '../session';
import { useTexts } from '../texts';
import { Limits } from './limits';
import { OwnText } from './own-text';

const TEXTS = {
  title: ['Settings', 'Réglages'],
  workspace: ['Workspace', 'Espace de travail'],
  name: ['Name', 'Nom'],
  nameHelp: ['Recipients of codes see it.', 'Les destinataires des codes le voient.'],
  language: ['Default language', 'Langue par défaut'],
  threshold: ['Warn below this balance', 'Alerter sous ce solde'],
  codes: ['One-time passwords', 'Codes à usage unique'],
  textEn: ['Text in English', 'Texte en anglais'],
  textFr: ['Text in French', 'Texte en français'],
  attempts: ['Checks of a code at most', 'Vérifications d’un code au plus'],
  resends: ['Resends of a code at most', 'Renvois d’un code au plus'],
  strict: [
    'Strict codes: 6 digits or more, 10 minutes at most',
    'Codes stricts : 6 chiffres ou plus, 10 minutes au plus',
  ],
  reroute: [
    'Try another carrier when the first one fails',
    'Essayer un autre fournisseur en cas d’échec',
  ],
  webotp: ['Domain for WebOTP', 'Domaine pour WebOTP'],
  android: ['Hash of the Android app', 'Empreinte de l’application Android'],
  sms: ['SMS', 'SMS'],
  rewriting: [
    'Rewrite characters that make a text longer',
    'Remplacer les caractères qui allongent un SMS',
  ],
  antiSpam: ['Anti-spam', 'Anti-spam'],
  countries: ['Countries', 'Pays'],
  countriesHelp: ['Two letters each, for example NG', 'Deux lettres chacun, par exemple NG'],
  enforcement: ['Countries that are not enabled', 'Pays qui ne sont pas activés'],
  senders: ['Sender IDs that are not registered', 'Expéditeurs non enregistrés'],
  quiet: ['Quiet hours', 'Heures calmes'],
  limits: ['Limits', 'Limites'],
  save: ['Save', 'Enregistrer'],
  account: ['Your account', 'Votre compte'],
  password: ['Change the password', 'Changer le mot de passe'],
  current: ['Current password', 'Mot de passe actuel'],
  next: ['New password', 'Nouveau mot de passe'],
  lift: ['Lift a restricted prefix', 'Lever la restriction d’un préfixe'],
  liftHelp: [
    'A prefix is throttled or blocked when its traffic looks like fraud. Owners lift it with a reason.',
    'Un préfixe est ralenti ou bloqué quand son trafic ressemble à une fraude. Un propriétaire peut lever la restriction.',
  ],
  prefix: ['Prefix', 'Préfixe'],
  reason: ['Reason', 'Motif'],
  readOnly: [
    'Only owners change these settings.',
    'Seuls les propriétaires modifient ces réglages.',
  ],
} as const;

type Settings = NonNullable<Dashboard['UpdateOwnWorkspaceRequest']['settings']>;

export function Settings() {
  const texts = useTexts(TEXTS);
  const { workspace, user } = useMember();
  const isOwner = user.role === 'owner';
  return (
    <>
      <PageTitle title={texts.title} />
      {!isOwner && (
        <Alert mb="md" variant="outline">
          {texts.readOnly}
        </Alert>
      )}
      {workspace.warnings?.map(({ code, message }) => (
        <Alert key={code} mb="md" color="yellow" variant="outline" title={message} />
      ))}
      <SimpleGrid
        cols={{ base: 1, md: 2 }}
        key={workspace.workspace_id}
        style={{ alignItems: 'start' }}
      >
        <Stack>
          <OwnersOnly>
            <General />
            <Texts />
            <Prefixes />
          </OwnersOnly>
          <Account />
        </Stack>
        <Stack>
          <OwnersOnly>
            <Codes />
          </OwnersOnly>
          <Part title={texts.limits}>
            <Limits />
          </Part>
        </Stack>
      </SimpleGrid>
    </>
  );
}

function OwnersOnly({ children }: { children: ReactNode }) {
  const { user } = useMember();
  return (
    <fieldset
      disabled={user.role !== 'owner'}
      style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}
    >
      <Stack>{children}</Stack>
    </fieldset>
  );
}

function useSave() {
  const client = useQueryClient();
  return async (body: Dashboard['UpdateOwnWorkspaceRequest']) => {
    await answerOf(dashboard.PATCH('/dashboard/workspace', { body }));
    await client.invalidateQueries({ queryKey: SESSION_KEY });
  };
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} mb="md">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function General() {
  const texts = useTexts(TEXTS);
  const save = useSave();
  const { name, settings } = useMember().workspace;
  return (
    <Part title={texts.workspace}>
      <Form
        submitLabel={texts.save}
        onSubmit={({ name: given, language, threshold }) =>
          save({
            ...(given !== undefined && given !== name && { name: given }),
            settings: {
              default_language: language === 'fr' ? 'fr' : 'en',
              low_balance_threshold: threshold === undefined ? null : Number(threshold),
            },
          })
        }
      >
        <TextInput
          name="name"
          label={texts.name}
          description={texts.nameHelp}
          defaultValue={name}
          required
        />
        <Select
          name="language"
          label={texts.language}
          allowDeselect={false}
          defaultValue={settings.default_language}
          data={[
            { value: 'en', label: 'English' },
            { value: 'fr', label: 'Français' },
          ]}
        />
        <NumberInput
          name="threshold"
          label={texts.threshold}
          min={0}
          allowDecimal={false}
          defaultValue={settings.low_balance_threshold ?? ''}
        />
      </Form>
    </Part>
  );
}

function Codes() {
  const texts = useTexts(TEXTS);
  const save = useSave();
  const { settings } = useMember().workspace;
  return (
    <Part title={texts.codes}>
      <Form
        submitLabel={texts.save}
        onSubmit={(values) =>
          save({
            settings: {
              otp_text: { en: values['en'] ?? null, fr: values['fr'] ?? null },
              otp_max_attempts: Number(values['attempts']),
              otp_resend_max: Number(values['resends']),
              strict_otp: values['strict'] !== undefined,
              otp_reroute: values['reroute'] !== undefined,
              webotp_domain: values['webotp'] ?? null,
              android_app_hash: values['android'] ?? null,
            },
          })
        }
      >
        <OwnText language="en" label={texts.textEn} />
        <OwnText language="fr" label={texts.textFr} />
        <NumberInput
          name="attempts"
          label={texts.attempts}
          min={1}
          required
          defaultValue={settings.otp_max_attempts}
        />
        <NumberInput
          name="resends"
          label={texts.resends}
          min={0}
          required
          defaultValue={settings.otp_resend_max}
        />
        <Switch name="strict" label={texts.strict} defaultChecked={settings.strict_otp} />
        <Switch name="reroute" label={texts.reroute} defaultChecked={settings.otp_reroute} />
        <TextInput
          name="webotp"
          label={texts.webotp}
          placeholder="example.com"
          defaultValue={settings.webotp_domain ?? ''}
        />
        <TextInput
          name="android"
          label={texts.android}
          defaultValue={settings.android_app_hash ?? ''}
        />
      </Form>
    </Part>
  );
}

function Texts() {
  const texts = useTexts(TEXTS);
  const choices = useChoices();
  const save = useSave();
  const { settings } = useMember().workspace;
  const [countries, setCountries] = useState(settings.enabled_countries);
  return (
    <Part title={texts.sms}>
      <Form
        submitLabel={texts.save}
        onSubmit={(values) =>
          save({
            settings: {
              sms_rewriting: values['rewriting'] !== undefined,
              anti_spam: values['anti_spam'] as NonNullable<Settings['anti_spam']>,
              country_enforcement: values['countries'] as NonNullable<
                Settings['country_enforcement']
              >,
              sender_id_enforcement: values['senders'] as NonNullable<
                Settings['sender_id_enforcement']
              >,
              quiet_hours: values['quiet'] as NonNullable<Settings['quiet_hours']>,
              enabled_countries: countries.map((country) => country.toUpperCase()),
            },
          })
        }
      >
        <Switch name="rewriting" label={texts.rewriting} defaultChecked={settings.sms_rewriting} />
        <Select
          name="anti_spam"
          label={texts.antiSpam}
          data={choices('off', 'tag', 'block')}
          allowDeselect={false}
          defaultValue={settings.anti_spam}
        />
        <TagsInput
          label={texts.countries}
          description={texts.countriesHelp}
          value={countries}
          onChange={setCountries}
        />
        <Select
          name="countries"
          label={texts.enforcement}
          data={choices('off', 'log', 'enforce')}
          allowDeselect={false}
          defaultValue={settings.country_enforcement}
        />
        <Select
          name="senders"
          label={texts.senders}
          data={choices('off', 'log', 'enforce')}
          allowDeselect={false}
          defaultValue={settings.sender_id_enforcement}
        />
        <Select
          name="quiet"
          label={texts.quiet}
          data={choices('off', 'refuse', 'delay')}
          allowDeselect={false}
          defaultValue={settings.quiet_hours}
        />
      </Form>
    </Part>
  );
}

function Prefixes() {
  const texts = useTexts(TEXTS);
  return (
    <Part title={texts.lift}>
      <Form
        submitLabel={texts.lift}
        onSubmit={({ prefix = '', reason = '' }) =>
          answerOf(
            dashboard.POST('/dashboard/prefixes/{prefix}/lift', {
              params: { path: { prefix } },
              body: { reason },
            }),
          )
        }
      >
        <Text size="sm" c="dimmed">
          {texts.liftHelp}
        </Text>
        <TextInput name="prefix" label={texts.prefix} placeholder="+234803" required />
        <TextInput name="reason" label={texts.reason} required />
      </Form>
    </Part>
  );
}

function Account() {
  const texts = useTexts(TEXTS);
  const { user } = useMember();
  return (
    <Part title={texts.account}>
      <Stack align="flex-start">
        <Text size="sm">{user.email}</Text>
        <FormButton
          label={texts.password}
          variant="default"
          onSubmit={({ current = '', next = '' }) =>
            answerOf(
              dashboard.POST('/auth/password', {
                body: { current_password: current, new_password: next },
              }),
            )
          }
        >
          <PasswordInput
            name="current"
            label={texts.current}
            required
            autoComplete="current-password"
          />
          <PasswordInput name="next" label={texts.next} required autoComplete="new-password" />
        </FormButton>
      </Stack>
    </Part>
  );
}
