import { Button, Group, Paper, Table, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../texts';
import { Loaded } from './states';

const TEXTS = {
  newer: ['Newer', 'Plus récents'],
  older: ['Older', 'Plus anciens'],
  actions: ['Actions', 'Actions'],
} as const;

export interface Column<Row> {
  title: string;
  of: (row: Row) => ReactNode;
  /** Narrow screens leave the column out. */
  isWide?: boolean;
  isNumber?: boolean;
  /** What can be done with the row. It needs no title. */
  isAction?: boolean;
}

/**
 * Rows under their titles. Where they are wider than the screen, the table scrolls and not the page; with `isCards` a
 * phone shows each row as a card that has every column.
 */
export function Rows<Row>({
  columns,
  rows,
  idOf,
  label,
  empty,
  isCards = false,
  pageOf,
}: {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  label: string;
  empty: ReactNode;
  isCards?: boolean;
  /** Marks the first row of each page of an endless list. */
  pageOf?: (row: Row) => string | undefined;
}) {
  const texts = useTexts(TEXTS);
  if (rows.length === 0) return <Paper withBorder>{empty}</Paper>;
  const classOf = ({ isWide, isNumber, isAction }: Column<Row>) =>
    [isWide && 'wide', isNumber && 'number', isAction && 'action'].filter(Boolean).join(' ');
  return (
    <Paper withBorder className="scroll" tabIndex={0} role="region" aria-label={label}>
      <Table
        className={isCards ? 'data cards' : 'data'}
        verticalSpacing="sm"
        horizontalSpacing="md"
        highlightOnHover
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.title} className={classOf(column)}>
                {column.isAction ? <VisuallyHidden>{texts.actions}</VisuallyHidden> : column.title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={idOf(row)} data-page={pageOf?.(row)}>
              {columns.map((column) => (
                <Table.Td
                  key={column.title}
                  className={classOf(column)}
                  data-title={column.title || undefined}
                >
                  {column.isAction ? column.of(row) : shown(column.of(row))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

const shown = (value: ReactNode) => (value || value === 0 ? value : '—');

export interface Page<Row> {
  data: Row[];
  next_cursor?: string;
}

/**
 * A list of any length, page by page. Only the page that is shown is in memory, so a million rows take no more
 * than twenty.
 */
export function PagedRows<Row>({
  queryKey,
  read,
  refetchMs,
  ...rest
}: {
  queryKey: readonly unknown[];
  read: (cursor: string | undefined) => Promise<Page<Row>>;
  /** Milliseconds between two reads of the first page, where changes have no event. */
  refetchMs?: number;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  label: string;
  empty: ReactNode;
  isCards?: boolean;
}) {
  const texts = useTexts(TEXTS);
  const place = JSON.stringify(queryKey);
  const [walked, setWalked] = useState<{ place: string; cursors: string[] }>({
    place,
    cursors: [],
  });
  // Another search begins at its first page.
  const cursors = walked.place === place ? walked.cursors : [];
  const cursor = cursors.at(-1);
  const query = useQuery({
    queryKey: [...queryKey, cursor ?? ''],
    queryFn: () => read(cursor),
    placeholderData: keepPreviousData,
    ...(refetchMs !== undefined && cursor === undefined && { refetchInterval: refetchMs }),
  });
  const walk = (next: string[]) => setWalked({ place, cursors: next });
  return (
    <Loaded query={query}>
      {({ data, next_cursor: next }) => (
        <>
          <Rows rows={data} {...rest} />
          {(cursors.length > 0 || next) && (
            <Group justify="flex-end" mt="sm">
              <Button
                size="xs"
                variant="default"
                disabled={cursors.length === 0}
                onClick={() => walk(cursors.slice(0, -1))}
              >
                {texts.newer}
              </Button>
              <Button
                size="xs"
                variant="default"
                disabled={!next}
                onClick={() => next && walk([...cursors, next])}
              >
                {texts.older}
              </Button>
            </Group>
          )}
        </>
      )}
    </Loaded>
  );
}
