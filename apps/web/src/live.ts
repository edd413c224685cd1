import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { SESSION_KEY } from './session';

/** An event of the workspace, as `GET /v1/events` has it. */
export interface LiveEvent {
  type: string;
  at: string;
  data: Record<string, unknown>;
  sequence: number;
}

type Listener = (events: readonly LiveEvent[]) => void;

/** Milliseconds between two updates of a page, however many events there are. */
const BATCH_MS = 1_000;
/** Milliseconds until a refused stream is opened again. A lost one reconnects by itself. */
const AGAIN_MS = 10_000;

/** First parts of the keys of queries that events make stale. */
const STALE = new Set(['message', 'sent', 'ledger', 'statement', 'deliveries', SESSION_KEY[0]]);

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
let isConnected = false;

function setConnected(next: boolean): void {
  isConnected = next;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function useIsLive(): boolean {
  return useSyncExternalStore(watch, () => isConnected);
}

/** Calls the listener with the events as they come. An empty batch says that some were missed. */
export function useLive(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}

/**
 * Holds the stream of the workspace's events open and reads again what they make stale. A hidden tab has no stream:
 * a browser opens only six connections to a server. The next one begins where the last one ended.
 */
export function useStream(workspaceId: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const stream = new Stream((events) => {
      for (const listener of listeners) listener(events);
      void client.invalidateQueries({ predicate: ({ queryKey }) => STALE.has(`${queryKey[0]}`) });
    });
    const show = () => (document.hidden ? stream.close() : stream.open());
    const hide = () => stream.close();
    show();
    document.addEventListener('visibilitychange', show);
    // A page that the browser keeps for its back button would keep the connection.
    addEventListener('pagehide', hide);
    addEventListener('pageshow', show);
    return () => {
      document.removeEventListener('visibilitychange', show);
      removeEventListener('pagehide', hide);
      removeEventListener('pageshow', show);
      stream.close();
    };
  }, [client, workspaceId]);
}

class Stream {
  private source: EventSource | undefined;
  private after = '';
  private batch: LiveEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onEvents: Listener) {}

  open(): void {
    if (this.source) return;
    const source = new EventSource(`/dashboard/stream${this.after && `?after=${this.after}`}`);
    this.source = source;
    source.addEventListener('open', () => setConnected(true));
    source.addEventListener('message', ({ data, lastEventId }) => {
      this.after = lastEventId;
      this.batch.push(eventOf(JSON.parse(data)));
      this.flushSoon();
    });
    source.addEventListener('reset', ({ lastEventId }) => {
      this.after = lastEventId;
      this.flushSoon();
    });
    source.addEventListener('error', () => this.lose(source));
  }

  close(): void {
    clearTimeout(this.timer);
    clearTimeout(this.retry);
    this.timer = undefined;
    this.source?.close();
    this.source = undefined;
    setConnected(false);
  }

  private lose(source: EventSource): void {
    setConnected(false);
    if (source.readyState !== EventSource.CLOSED) return;
    this.source = undefined;
    this.retry = setTimeout(() => this.open(), AGAIN_MS);
    // Whether the session has ended is what the next read tells.
    this.onEvents([]);
  }

  private flushSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.onEvents(this.batch.splice(0));
    }, BATCH_MS);
  }
}

interface Body {
  event?: string;
  type?: string;
  timestamp?: string;
  created_at?: string;
  data: Record<string, unknown>;
  sequence: number;
}

function eventOf({ event, type, timestamp, created_at: created, data, sequence }: Body): LiveEvent {
  return { type: type ?? event ?? '', at: created ?? timestamp ?? '', data, sequence };
}
