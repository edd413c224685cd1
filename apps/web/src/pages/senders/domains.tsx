import { Accordion, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, newKey, type V1, v1 } from '../../api/client';
import { Ask, FormButton } from '../../parts/act';
import { Rows } from '../../parts/list';
import { Moment, Status, Value } from '../../parts/show';
import { Empty, Loaded } from '../../parts/states';
import { useMode } from '../../session';
import { useTexts } from '../../texts';

const TEXTS = {
  add: ['Add a domain', 'Ajouter un domaine'],
  name: ['Domain', 'Domaine'],
  nameHelp: ['For example mail.example.com', 'Par exemple mail.example.com'],
  check: ['Check now', 'Vérifier maintenant'],
  checkAsk: [
    'The records are looked up in the DNS.',
    'Les enregistrements sont cherchés dans le DNS.',
  ],
  remove: ['Delete', 'Supprimer'],
  removeAsk: ['No email can be sent from it any more.', 'Plus aucun e-mail ne pourra en partir.'],
  records: ['Records for the DNS', 'Enregistrements DNS'],
  purpose: ['For', 'Pour'],
  type: ['Type', 'Type'],
  record: ['Name', 'Nom'],
  value: ['Value', 'Valeur'],
  status: ['Status', 'Statut'],
  checked: ['Checked:', 'Vérifié :'],
  none: ['No domain yet', 'Aucun domaine'],
  noneHelp: [
    'Add a domain and its records to the DNS; then emails leave under its name.',
    'Ajoutez un domaine et ses enregistrements DNS ; les e-mails partent alors à son nom.',
  ],
} as const;

export function Domains() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const query = useQuery({
    queryKey: ['domains', mode],
    queryFn: () => answerOf(v1.GET('/v1/domains', { params: { query: { limit: 100 } } })),
  });
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <FormButton
          label={texts.add}
          onSubmit={({ name = '' }) =>
            answerOf(v1.POST('/v1/domains', { params: { header: newKey() }, body: { name } }))
          }
        >
          <TextInput name="name" label={texts.name} description={texts.nameHelp} required />
        </FormButton>
      </Group>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={texts.none}>{texts.noneHelp}</Empty>
          ) : (
            <Accordion variant="separated" multiple>
              {data.map((domain) => (
                <Domain key={domain.id} domain={domain} />
              ))}
            </Accordion>
          )
        }
      </Loaded>
    </>
  );
}

function Domain({ domain }: { domain: V1['Domain'] }) {
  const texts = useTexts(TEXTS);
  const { id, name, status, records, last_checked_at: checked } = domain;
  const path = { id };
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group>
          <Text fw={600}>{name}</Text>
          <Status of={status} />
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack>
          <Group>
            <Ask
              label={texts.check}
              question={texts.checkAsk}
              onConfirm={() =>
                answerOf(
                  v1.POST('/v1/domains/{id}/verify', {
                    params: { path, header: newKey() },
                    body: {},
                  }),
                )
              }
            />
            <Ask
              label={texts.remove}
              question={texts.removeAsk}
              color="red"
              onConfirm={() => answerOf(v1.DELETE('/v1/domains/{id}', { params: { path } }))}
            />
            <Text size="xs" c="dimmed">
              {texts.checked} <Moment at={checked} />
            </Text>
          </Group>
          <Records records={records} />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

/** The records of a domain, to copy, with what the DNS has of them. */
export function Records({ records }: { records: V1['Domain']['records'] }) {
  const texts = useTexts(TEXTS);
  return (
    <Rows
      isCards
      rows={records}
      idOf={(record) => `${record.purpose} ${record.name} ${record.value}`}
      label={texts.records}
      empty={null}
      columns={[
        { title: texts.purpose, of: ({ purpose }) => purpose },
        { title: texts.type, of: ({ type }) => type },
        {
          title: texts.record,
          of: (record) => <Value label={record.purpose}>{record.name}</Value>,
        },
        {
          title: texts.value,
          of: ({ value, priority, purpose }) => (
            <Value label={purpose}>{priority === null ? value : `${priority} ${value}`}</Value>
          ),
        },
        {
          title: texts.status,
          of: (record) => (
            <>
              <Status of={record.status} />
              <Text size="xs">{record.problem ?? ''}</Text>
            </>
          ),
        },
      ]}
    />
  );
}
