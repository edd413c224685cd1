import { Button, Group, Paper, Select, SimpleGrid } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTexts } from '../texts';
import { STATUSES, useStatusWord } from './show';

const TEXTS = {
  status: ['Status', 'Statut'],
  any: ['Any', 'Tous'],
  search: ['Search', 'Rechercher'],
  clear: ['Clear', 'Effacer'],
} as const;

/** Filters of a list of messages. `onSearch` gets the fields that have a value, by name. */
export function SearchForm<Filters extends Partial<Record<string, string>>>({
  columns,
  onSearch,
  children,
}: {
  columns: number;
  onSearch: (filters: Filters) => void;
  children: ReactNode;
}) {
  const texts = useTexts(TEXTS);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '');
    onSearch(Object.fromEntries(entries) as Filters);
  };
  return (
    <Paper withBorder p="md" mb="md" component="form" role="search" onSubmit={submit}>
      <SimpleGrid cols={{ base: 2, md: columns }} spacing="sm" className="filters">
        {children}
      </SimpleGrid>
      <Group mt="md">
        <Button type="submit">{texts.search}</Button>
        <Button variant="default" onClick={() => onSearch({} as Filters)}>
          {texts.clear}
        </Button>
      </Group>
    </Paper>
  );
}

export function StatusFilter({ value = '' }: { value?: string | undefined }) {
  const texts = useTexts(TEXTS);
  const word = useStatusWord();
  return (
    <Select
      name="status"
      label={texts.status}
      data={[
        { value: '', label: texts.any },
        ...STATUSES.map((status) => ({ value: status, label: word(status) })),
      ]}
      defaultValue={value}
      allowDeselect={false}
    />
  );
}
