import { Group, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, newKey, type V1, v1 } from '../../api/client';
import { FormButton } from '../../parts/act';
import { Rows } from '../../parts/list';
import { CountryStatus, Moment } from '../../parts/show';
import { Empty, Loaded } from '../../parts/states';
import { useMode } from '../../session';
import { useTexts } from '../../texts';

const TEXTS = {
  edit: ['Edit', 'Modifier'],
  request: ['Request a sender ID', 'Demander un expéditeur'],
  id: ['Sender ID', 'Expéditeur'],
  idHelp: ['3 to 11 letters or digits', '3 à 11 lettres ou chiffres'],
  countries: ['Countries', 'Pays'],
  countriesHelp: ['Two letters each, for example NG', 'Deux lettres chacun, par exemple NG'],
  entity: ['Registered company', 'Société enregistrée'],
  use: ['What it is used for', 'Usage'],
  sample: ['Sample message', 'Exemple de message'],
  status: ['Status', 'Statut'],
  created: ['Requested', 'Demandé'],
  none: ['No sender ID yet', 'Aucun expéditeur'],
  noneHelp: [
    'A sender ID is the name that recipients see. Networks want it registered in each country.',
    'L’expéditeur est le nom que voient les destinataires. Les réseaux exigent son enregistrement par pays.',
  ],
} as const;

export function SenderIds() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const query = useQuery({
    queryKey: ['sender-ids', mode],
    queryFn: () => answerOf(v1.GET('/v1/sender-ids')),
  });
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Request />
      </Group>
      <Loaded query={query}>
        {({ data }) => (
          <Rows
            isCards
            rows={data}
            idOf={({ id }) => id}
            label={texts.id}
            empty={<Empty title={texts.none}>{texts.noneHelp}</Empty>}
            columns={[
              { title: texts.id, of: (one) => <strong>{one.sender_id}</strong> },
              {
                title: texts.status,
                of: ({ reviews }) =>
                  reviews.map(({ country, status, rejection_reason: reason }) => (
                    <CountryStatus
                      key={country}
                      country={country}
                      status={status}
                      note={reason ?? undefined}
                    />
                  )),
              },
              { title: texts.use, of: (one) => one.use_case, isWide: true },
              {
                title: texts.created,
                of: ({ created_at: at }) => <Moment at={at} />,
                isWide: true,
              },
              {
                title: '',
                isAction: true,
                of: (one) =>
                  one.reviews.some(({ status }) => status === 'pending') && <Edit of={one} />,
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

/** While a country is pending, what its reviewer reads can be corrected. */
function Edit({ of }: { of: V1['RegisteredSenderId'] }) {
  const texts = useTexts(TEXTS);
  return (
    <FormButton
      label={texts.edit}
      size="compact-sm"
      variant="default"
      onSubmit={({ entity = '', use = '', sample = '' }) =>
        answerOf(
          v1.PATCH('/v1/sender-ids/{id}', {
            params: { path: { id: of.id } },
            body: { registered_entity: entity, use_case: use, sample_message: sample },
          }),
        )
      }
    >
      <TextInput
        name="entity"
        label={texts.entity}
        required
        defaultValue={of.registered_entity ?? ''}
      />
      <TextInput name="use" label={texts.use} required defaultValue={of.use_case ?? ''} />
      <Textarea
        name="sample"
        label={texts.sample}
        required
        autosize
        defaultValue={of.sample_message ?? ''}
      />
    </FormButton>
  );
}

function Request() {
  const texts = useTexts(TEXTS);
  const [countries, setCountries] = useState<string[]>([]);
  return (
    <FormButton
      label={texts.request}
      onSubmit={({ sender_id = '', entity = '', use = '', sample = '' }) =>
        answerOf(
          v1.POST('/v1/sender-ids', {
            params: { header: newKey() },
            body: {
              sender_id,
              countries: countries.map((country) => country.toUpperCase()),
              registered_entity: entity,
              use_case: use,
              sample_message: sample,
            },
          }),
        )
      }
    >
      <TextInput
        name="sender_id"
        label={texts.id}
        description={texts.idHelp}
        maxLength={11}
        required
      />
      <TagsInput
        label={texts.countries}
        description={texts.countriesHelp}
        value={countries}
        onChange={setCountries}
        required
      />
      <TextInput name="entity" label={texts.entity} required />
      <TextInput name="use" label={texts.use} required />
      <Textarea name="sample" label={texts.sample} required autosize />
    </FormButton>
  );
}
