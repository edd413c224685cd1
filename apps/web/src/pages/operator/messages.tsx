import { Anchor, Group, TextInput } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, type Operator, operator } from '../../api/client';
import { KINDS } from '../../parts/kinds';
import { PagedRows } from '../../parts/list';
import { SearchForm, StatusFilter } from '../../parts/search-form';
import { Moment, Status } from '../../parts/show';
import { Empty, PageTitle } from '../../parts/states';
import { useMember } from '../../session';
import { useTexts } from '../../texts';

const TEXTS = {
  title: ['Support', 'Assistance'],
  q: ['Recipient or ID', 'Destinataire ou identifiant'],
  qHelp: ['0803… or an address', '0803… ou une adresse'],
  country: ['Country of 0803…', 'Pays de 0803…'],
  workspace: ['Workspace ID', 'Identifiant de l’espace'],
  status: ['Status', 'Statut'],
  recipient: ['Recipient', 'Destinataire'],
  time: ['Sent at', 'Envoyé le'],
  kind: ['Channel', 'Canal'],
  ...KINDS,
  none: ['No message fits', 'Aucun message ne correspond'],
} as const;

type Found = Operator['OperatorMessagePage']['data'][number];
type Filters = Partial<Record<'q' | 'country' | 'workspace_id' | 'status', string>>;

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Messages of all workspaces. Numbers are masked until an operator gives a reason. What is searched for stays out of
 * the address, so the browser's history does not have it.
 */
export function Support() {
  const texts = useTexts(TEXTS);
  const { workspace_id: workspace } = useSearch({ strict: false }) as Filters;
  const [filters, setFilters] = useState<Filters>(workspace ? { workspace_id: workspace } : {});
  return (
    <>
      <PageTitle title={texts.title} />
      <Search key={JSON.stringify(filters)} filters={filters} onSearch={setFilters} />
      <PagedRows<Found>
        isCards
        queryKey={['found', filters]}
        read={(cursor) => read(filters, cursor)}
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
          {
            title: texts.kind,
            of: ({ kind, test_mode: isTest }) => (
              <Group gap="xs">
                {texts[kind]}
                {isTest && <Status of="test" />}
              </Group>
            ),
            isWide: true,
          },
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

function Search({ filters, onSearch }: { filters: Filters; onSearch: (filters: Filters) => void }) {
  const texts = useTexts(TEXTS);
  const { workspace } = useMember();
  return (
    <SearchForm<Filters> columns={4} onSearch={onSearch}>
      <TextInput name="q" label={texts.q} placeholder={texts.qHelp} defaultValue={filters.q} />
      <TextInput
        name="country"
        label={texts.country}
        maxLength={2}
        pattern="[A-Za-z]{2}"
        defaultValue={filters.country ?? workspace.billing_country}
      />
      <StatusFilter value={filters.status} />
      <TextInput name="workspace_id" label={texts.workspace} defaultValue={filters.workspace_id} />
    </SearchForm>
  );
}

function read({ q, country, status, ...rest }: Filters, cursor: string | undefined) {
  const given = q?.trim();
  const query = {
    limit: 20,
    ...rest,
    ...(given && (ID.test(given) ? { id: given } : { to: given })),
    ...(given && country && { country: country.toUpperCase() }),
    ...(status && { status: status as Found['status'] }),
    ...(cursor && { cursor }),
  };
  return answerOf(operator.GET('/operator/v1/messages', { params: { query } }));
}

export function recipientOf(message: Found): string {
  return message.kind === 'email' ? message.to.join(', ') : message.phone_number;
}
