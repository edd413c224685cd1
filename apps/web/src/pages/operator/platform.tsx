import {
  FileInput,
  JsonInput,
  NumberInput,
  Paper,
  Stack,
  TagsInput,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, type Operator, operator } from '../../api/client';
import { Form, useAction } from '../../parts/act';
import { Loaded, PageTitle } from '../../parts/states';
import { fill, useFormats, useTexts } from '../../texts';
import { PlatformEmail } from './platform-email';

const TEXTS = {
  title: ['Platform settings', 'Réglages de la plateforme'],
  limits: ['Limits', 'Limites'],
  email: ['Account emails', 'E-mails de compte'],
  protected: ['Protected sender IDs', 'Expéditeurs protégés'],
  rules: ['Rules of countries', 'Règles des pays'],
  dnd: ['Do Not Disturb', 'Ne pas déranger'],
  erase: ['Erase', 'Effacer'],
  save: ['Save', 'Enregistrer'],
  known: [
    'Requests a minute of an address with a key',
    'Requêtes par minute d’une adresse avec clé',
  ],
  unknown: ['Without a key', 'Sans clé'],
  none: ['Empty: no limit.', 'Vide : aucune limite.'],
  shared: ['Sender IDs that all workspaces may use', 'Expéditeurs ouverts à tous les espaces'],
  protectedHelp: [
    'One a line. Each use of them needs a review.',
    'Un par ligne. Chaque usage doit être examiné.',
  ],
  rulesHelp: [
    'All countries as JSON. It replaces the present rules.',
    'Tous les pays en JSON. Cela remplace les règles actuelles.',
  ],
  badJson: ['This is no JSON', 'Ce n’est pas du JSON'],
  country: ['Country (two letters)', 'Pays (deux lettres)'],
  chooseFile: ['Choose a file', 'Choisir un fichier'],
  file: ['File with one number a line', 'Fichier, un numéro par ligne'],
  dndHelp: [
    'The list replaces the present one of the country.',
    'La liste remplace celle du pays.',
  ],
  upload: ['Replace the list', 'Remplacer la liste'],
  uploaded: ['{n} numbers of {country}', '{n} numéros : {country}'],
  to: ['Number or email address', 'Numéro ou adresse e-mail'],
  reason: ['Reason', 'Motif'],
  eraseHelp: [
    'Removes the recipient, texts and metadata from the messages and events of all workspaces. It cannot be undone.',
    'Retire le destinataire, les textes et les métadonnées des messages et événements de tous les espaces. C’est irréversible.',
  ],
  erased: [
    '{messages} messages and {events} events erased, {later} follow when they end.',
    '{messages} messages et {events} événements effacés, {later} suivront à leur fin.',
  ],
} as const;

export function Platform() {
  const texts = useTexts(TEXTS);
  const tabs = [
    ['limits', <Limits key="limits" />],
    ['email', <PlatformEmail key="email" />],
    ['protected', <Protected key="protected" />],
    ['rules', <Rules key="rules" />],
    ['dnd', <DoNotDisturb key="dnd" />],
    ['erase', <Erase key="erase" />],
  ] as const;
  return (
    <>
      <PageTitle title={texts.title} />
      <Tabs defaultValue="limits" keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {texts[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(([name, content]) => (
          <Tabs.Panel key={name} value={name}>
            <Paper withBorder p="md">
              {content}
            </Paper>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function Limits() {
  const texts = useTexts(TEXTS);
  const query = useQuery({
    queryKey: ['platform-settings'],
    queryFn: () => answerOf(operator.GET('/operator/v1/settings')),
  });
  const [shared, setShared] = useState<string[]>();
  const limitOf = (text: string | undefined) => (text ? Number(text) : null);
  return (
    <Loaded query={query}>
      {({ limits, shared_sender_ids: present }) => (
        <Form
          submitLabel={texts.save}
          onSubmit={({ known, unknown }) =>
            answerOf(
              operator.PATCH('/operator/v1/settings', {
                body: {
                  limits: {
                    ip_authenticated_per_minute: limitOf(known),
                    ip_unauthenticated_per_minute: limitOf(unknown),
                  },
                  shared_sender_ids: shared ?? present,
                },
              }),
            )
          }
        >
          <NumberInput
            name="known"
            label={texts.known}
            description={texts.none}
            min={0}
            defaultValue={limits.ip_authenticated_per_minute ?? ''}
          />
          <NumberInput
            name="unknown"
            label={texts.unknown}
            description={texts.none}
            min={0}
            defaultValue={limits.ip_unauthenticated_per_minute ?? ''}
          />
          <TagsInput label={texts.shared} value={shared ?? present} onChange={setShared} />
        </Form>
      )}
    </Loaded>
  );
}

function Protected() {
  const texts = useTexts(TEXTS);
  const query = useQuery({
    queryKey: ['protected-sender-ids'],
    queryFn: () => answerOf(operator.GET('/operator/v1/protected-sender-ids')),
  });
  return (
    <Loaded query={query}>
      {({ sender_ids: ids }) => (
        <Form
          submitLabel={texts.save}
          onSubmit={({ list = '' }) => {
            const lines = list.split('\n').map((line) => line.trim());
            const body = { sender_ids: lines.filter((line) => line !== '') };
            return answerOf(operator.PUT('/operator/v1/protected-sender-ids', { body }));
          }}
        >
          <Textarea
            name="list"
            label={texts.protected}
            description={texts.protectedHelp}
            defaultValue={ids.join('\n')}
            autosize
            minRows={8}
            maxRows={20}
          />
        </Form>
      )}
    </Loaded>
  );
}

function Rules() {
  const texts = useTexts(TEXTS);
  const query = useQuery({
    queryKey: ['sender-rules'],
    queryFn: () => answerOf(operator.GET('/operator/v1/sender-rules')),
  });
  return (
    <Loaded query={query}>
      {(rules) => (
        <Form
          submitLabel={texts.save}
          onSubmit={({ rules: text = '' }) =>
            answerOf(
              operator.PUT('/operator/v1/sender-rules', {
                body: JSON.parse(text) as Operator['SenderRules'],
              }),
            )
          }
        >
          <JsonInput
            name="rules"
            label={texts.rules}
            description={texts.rulesHelp}
            validationError={texts.badJson}
            defaultValue={JSON.stringify(rules, null, 2)}
            autosize
            minRows={12}
            maxRows={30}
            required
          />
        </Form>
      )}
    </Loaded>
  );
}

function DoNotDisturb() {
  const texts = useTexts(TEXTS);
  const { number, country: nameOf } = useFormats();
  const [file, setFile] = useState<File | null>(null);
  const uploading = useAction(async (code: string) =>
    answerOf(
      operator.PUT('/operator/v1/dnd/{country}', {
        params: { path: { country: code.toUpperCase() } },
        headers: { 'content-type': 'text/csv' },
        body: (await file?.text()) ?? '',
        bodySerializer: (text) => text,
      }),
    ),
  );
  return (
    <Stack>
      <Form
        submitLabel={texts.upload}
        onSubmit={({ country = '' }) => uploading.mutateAsync(country)}
      >
        <Text size="sm">{texts.dndHelp}</Text>
        <TextInput name="country" label={texts.country} maxLength={2} required maw={280} />
        <FileInput
          label={texts.file}
          placeholder={texts.chooseFile}
          value={file}
          onChange={setFile}
          accept=".csv,.txt,text/csv,text/plain"
          required
          maw={420}
        />
      </Form>
      {uploading.data && (
        <Text size="sm" role="status">
          {fill(texts.uploaded, {
            n: number(uploading.data.numbers),
            country: nameOf(uploading.data.country),
          })}
        </Text>
      )}
    </Stack>
  );
}

function Erase() {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  const erasing = useAction((body: Operator['CreateErasureRequest']) =>
    answerOf(operator.POST('/operator/v1/erasures', { body })),
  );
  const done = erasing.data;
  return (
    <Stack>
      <Form
        submitLabel={texts.erase}
        onSubmit={({ to = '', reason = '' }) => erasing.mutateAsync({ to: to.trim(), reason })}
      >
        <Text size="sm">{texts.eraseHelp}</Text>
        <TextInput name="to" label={texts.to} placeholder="+2348031234567" required maw={420} />
        <TextInput name="reason" label={texts.reason} required maxLength={500} maw={420} />
      </Form>
      {done && (
        <Text size="sm" role="status">
          {fill(texts.erased, {
            messages: number(done.messages),
            events: number(done.webhook_events),
            later: number(done.erased_later),
          })}
        </Text>
      )}
    </Stack>
  );
}
