import { Button, Group, Text } from '@mantine/core';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { type LiveEvent, useIsLive, useLive } from '../live';
import { useTexts } from '../texts';
import { type Column, type Page, Rows } from './list';
import { Loaded } from './states';

const TEXTS = {
  newest: ['Back to the newest', 'Revenir aux plus récents'],
  live: ['Live', 'En direct'],
  lost: ['Reconnecting…', 'Reconnexion…'],
} as const;

/** Pages in memory and in the document. Scrolling on drops those at the other end. */
const PAGES_MAX = 6;
/** Pixels from the newest row within which new rows appear at once. */
const TOP_PX = 300;
/** Rows are read before they are seen. */
const MARGIN = '800px';

type Pages<Row> = InfiniteData<Page<Row>, string>;

/**
 * A live list of any length. It holds only the pages around what is seen, and the cursors that led there. New rows
 * appear while the newest are in view; further down only what is shown changes, so that nothing moves.
 */
export function EndlessRows<Row>({
  queryKey,
  read,
  changed,
  ...rest
}: {
  queryKey: readonly unknown[];
  read: (cursor: string | undefined) => Promise<Page<Row>>;
  /** Returns the row after an event, or the row itself. */
  changed: (row: Row, event: LiveEvent) => Row;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
  label: string;
  empty: ReactNode;
}) {
  const texts = useTexts(TEXTS);
  const isLive = useIsLive();
  const place = JSON.stringify(queryKey);
  /** The cursor of the page before, by the cursor of each page of this search. */
  const before = useMemo(() => new Map<string, string>(), [place]);
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: '',
    queryFn: ({ pageParam }) => read(pageParam || undefined),
    getNextPageParam: ({ next_cursor: next }, _pages, cursor: string) => {
      if (next) before.set(next, cursor);
      return next;
    },
    getPreviousPageParam: (_page, _pages, cursor: string) => before.get(cursor),
    maxPages: PAGES_MAX,
  });
  const toNewest = useUpdates(queryKey, changed);
  const params = (query.data?.pageParams ?? []) as string[];
  useSteadyScroll(params);
  const down = useNear(query.hasNextPage && !query.isFetching, () => void query.fetchNextPage());
  const up = useNear(
    query.hasPreviousPage && !query.isFetching,
    () => void query.fetchPreviousPage(),
  );
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const firsts = new Map(pages.map(({ data: [first] }, index) => [first, params[index]]));
        return (
          <>
            <Group justify="space-between" mb="xs" mih={26}>
              <Text size="xs" c="dimmed" role="note">
                <span aria-hidden>{isLive ? '● ' : '○ '}</span>
                {isLive ? texts.live : texts.lost}
              </Text>
              {params[0] !== '' && (
                <Button className="floating" size="compact-sm" onClick={toNewest}>
                  {texts.newest}
                </Button>
              )}
            </Group>
            <div ref={up} />
            <Rows
              {...rest}
              rows={pages.flatMap(({ data }) => data)}
              pageOf={(row) => firsts.get(row)}
            />
            <div ref={down} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Applies events. Returns what shows the newest rows again. */
function useUpdates<Row>(
  queryKey: readonly unknown[],
  changed: (row: Row, event: LiveEvent) => Row,
): () => void {
  const client = useQueryClient();
  const latest = useRef({ queryKey, changed });
  latest.current = { queryKey, changed };
  const readNewest = useCallback(() => {
    const key = latest.current.queryKey;
    client.setQueryData<Pages<Row>>(
      key,
      (old) => old && { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
    );
    void client.invalidateQueries({ queryKey: key, exact: true });
  }, [client]);
  const apply = useCallback(
    (events: readonly LiveEvent[]) => {
      const old = client.getQueryData<Pages<Row>>(latest.current.queryKey);
      if (!old) return;
      if (old.pageParams[0] === '' && scrollY < TOP_PX) return readNewest();
      const after = (row: Row) => events.reduce(latest.current.changed, row);
      const pages = old.pages.map((page) => ({ ...page, data: page.data.map(after) }));
      client.setQueryData<Pages<Row>>(latest.current.queryKey, { ...old, pages });
    },
    [client, readNewest],
  );
  useLive(apply);
  return () => {
    scrollTo({ top: 0 });
    void client.resetQueries({ queryKey, exact: true });
  };
}

/** Returns the reference of an element that is at an end of the list. */
function useNear(isActive: boolean, onNear: () => void): (element: HTMLElement | null) => void {
  const element = useRef<HTMLElement | null>(null);
  const near = useRef(onNear);
  near.current = onNear;
  useEffect(() => {
    if (!isActive || !element.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && near.current(),
      { rootMargin: MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isActive]);
  return useCallback((next) => {
    element.current = next;
  }, []);
}

/** Keeps what is seen in its place when pages above it come or go. */
function useSteadyScroll(params: readonly string[]): void {
  const last = useRef({ first: params[0], tops: new Map<string, number>() });
  const first = params[0];
  useLayoutEffect(() => {
    const { first: before, tops: old } = last.current;
    const tops = topsOfPages();
    last.current = { first, tops };
    const shared = [...tops].find(([page]) => old.has(page));
    if (before === undefined || before === first || !shared) return;
    const [page, top] = shared;
    scrollBy({ top: top - (old.get(page) ?? top), behavior: 'instant' });
  });
}

/** Pixels from the top of the document to the first row of each page. */
function topsOfPages(): Map<string, number> {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-page]')];
  return new Map(
    rows.map((row) => [row.dataset['page'] ?? '', row.getBoundingClientRect().top + scrollY]),
  );
}
