import { Anchor, Button, Group, Paper, SimpleGrid, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { answerOf, type Operator, operator } from '../../api/client';
import { PagedRows } from '../../parts/list';
import { Moment, Status } from '../../parts/show';
import { Empty, PageTitle } from '../../parts/states';
import { useTexts } from '../../texts';

const TEXTS = {
  title: ['Support', 'Assistance'],
  to: ['Number or address', 'Numéro ou adresse'],
  id: ['Message ID', 'Identifiant du message'],
  workspace: ['Workspace ID', 'Identifiant de l’espace'],
  status: ['Status', 'Statut'],
  search: ['Search', 'Rechercher'],
  recipient: ['Recipient', 'Destinataire'],
  time: ['Sent at', 'Envoyé le'],
  kind: ['Channel', 'Canal'],
  otp: ['Code', 'Code'],
  sms: ['SMS', 'SMS'],
  email: ['Email', 'E-mail'],
  none: ['No message fits', 'Aucun message ne correspond'],
} as const;

type Found = Operator['OperatorMessagePage']['data'][number];
type Filters = Partial<Record<'to' | 'id' | 'workspace_id', string>>;

/**
 * Messages of all workspaces. Numbers are masked until an operator gives a reason. What is searched for stays out of
 * the address, so the browser's history does not have it.
 */
export function Support() {
  const texts = useTexts(TEXTS);
  const { workspace_id: workspace } = useSearch({ strict: false }) as Filters;
  const [filters, setFilters] = useState<Filters>(workspace ? { workspace_id: workspace } : {});
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
    setFilters(Object.fromEntries(entries) as Filters);
  };
  return (
    <>
      <PageTitle title={texts.title} />
      <Paper
        withBorder
        p="md"
        mb="md"
        component="form"
        role="search"
        onSubmit={submit}
        key={JSON.stringify(filters)}
      >
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput name="to" label={texts.to} defaultValue={filters.to} />
          <TextInput name="id" label={texts.id} defaultValue={filters.id} />
          <TextInput
            name="workspace_id"
            label={texts.workspace}
            defaultValue={filters.workspace_id}
          />
        </SimpleGrid>
        <Group mt="md">
          <Button type="submit">{texts.search}</Button>
        </Group>
      </Paper>
      <PagedRows<Found>
        isCards
        queryKey={['found', filters]}
        read={(cursor) => {
          const query = { limit: 20, ...filters, ...(cursor && { cursor }) };
          return answerOf(operator.GET('/operator/v1/messages', { params: { query } }));
        }}
        idOf={({ id }) => id}
        label={texts.title}
        empty={<Empty title={texts.none} />}
        columns={[
          {
            title: texts.recipient,
            of: (message) => (
              <Anchor component={Link} to={`/operator/messages/${message.id}`}>
                {recipientOf(message)}
              </Anchor>
            ),
          },
          { title: texts.status, of: ({ status }) => <Status of={status} /> },
          { title: texts.kind, of: ({ kind }) => texts[kind], isWide: true },
          { title: texts.time, of: ({ created_at: at }) => <Moment at={at} /> },
          {
            title: texts.workspace,
            of: ({ workspace_id: id }) => (
              <Anchor component={Link} to={`/operator/workspaces/${id}`} className="code">
                {id}
              </Anchor>
            ),
            isWide: true,
          },
        ]}
      />
    </>
  );
}

export function recipientOf(message: Found): string {
  return message.kind === 'email' ? message.to.join(', ') : message.phone_number;
}
