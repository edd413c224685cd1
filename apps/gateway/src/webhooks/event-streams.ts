import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ApiError, type WebhooksCalls, type WorkspaceId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { every, LOGGER, type Periodic } from '@watchword/platform';
import { WEBHOOKS } from '../calls/webhooks-calls.js';
import type { Session } from '../people/account.js';
import { Sessions } from '../people/sessions.js';
import { EventStream } from './event-stream.js';

/** Most open streams of one gateway, and of one workspace on it. */
export const STREAMS_MAX = 500;
export const STREAMS_PER_WORKSPACE_MAX = 20;
/** Most events that a stream catches up on. A reader further behind loads its page again. */
export const BEHIND_MAX = 1_000;
const POLL_MS = 1_000;
/** Also the longest time for which a stream outlives its session. */
const BEAT_MS = 10_000;
const PAGE = 200;
const RETRY_AFTER_SECONDS = 10;

/** The streams of one workspace, and the one poll that they share. */
interface Feed {
  readonly streams: Set<EventStream>;
  readonly poll: Periodic;
}

/**
 * Streams the events of workspaces to pages that are open. All streams of a workspace share one poll
 * of its numbered events, so a stream costs the webhooks service nothing, any gateway can serve it,
 * and a lost connection resumes anywhere.
 */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly feeds = new Map<WorkspaceId, Feed>();
  private readonly beats: Periodic;
  private count = 0;

  constructor(
    @Inject(WEBHOOKS)
    private readonly webhooks: Pick<WebhooksCalls, 'readEvents' | 'getLastSequence'>,
    @Inject(Sessions) private readonly sessions: Pick<Sessions, 'find'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.beats = every(BEAT_MS, 'event-streams', () => this.beat(), logger);
  }

  async onModuleDestroy(): Promise<void> {
    await this.beats.stop();
    for (const { streams } of this.feeds.values()) for (const stream of streams) stream.end();
  }

  /** Opens a stream of the events after a number, or of those from now on. */
  async open({ token, member }: Session, after: number | undefined): Promise<EventStream> {
    const { workspaceId } = member;
    this.checkRoom(workspaceId);
    const { sequence: last } = await this.webhooks.getLastSequence({ workspace_id: workspaceId });
    this.checkRoom(workspaceId);
    const from = Math.min(after ?? last, last);
    const stream = new EventStream(workspaceId, token, from);
    if (last - from > BEHIND_MAX) stream.reset(last);
    this.add(stream);
    return stream;
  }

  /** Sends a sign of life to every stream whose session still stands, and ends the others. */
  async beat(): Promise<void> {
    for (const stream of [...this.feeds.values()].flatMap(({ streams }) => [...streams])) {
      const session = await this.sessions.find(stream.token);
      if (session) stream.beat();
      else stream.end();
    }
  }

  private checkRoom(workspaceId: WorkspaceId): void {
    const ofWorkspace = this.feeds.get(workspaceId)?.streams.size ?? 0;
    if (this.count < STREAMS_MAX && ofWorkspace < STREAMS_PER_WORKSPACE_MAX) return;
    throw new ApiError('rate_limit_exceeded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  private add(stream: EventStream): void {
    const { workspaceId } = stream;
    const feed = this.feeds.get(workspaceId) ?? this.feedOf(workspaceId);
    this.feeds.set(workspaceId, feed);
    feed.streams.add(stream);
    this.count += 1;
    stream.once('close', () => this.remove(feed, stream));
    feed.poll.soon();
  }

  private feedOf(workspaceId: WorkspaceId): Feed {
    const streams = new Set<EventStream>();
    const read = () => this.read(workspaceId, streams);
    return { streams, poll: every(POLL_MS, 'event-stream', read, this.logger) };
  }

  private remove(feed: Feed, stream: EventStream): void {
    feed.streams.delete(stream);
    this.count -= 1;
    if (feed.streams.size > 0) return;
    void feed.poll.stop();
    if (this.feeds.get(stream.workspaceId) === feed) this.feeds.delete(stream.workspaceId);
  }

  /** Sends one page of events. Returns whether there are more. */
  private async read(workspaceId: WorkspaceId, streams: Set<EventStream>): Promise<boolean> {
    if (streams.size === 0) return false;
    const after = Math.min(...[...streams].map((stream) => stream.after));
    const asked = { workspace_id: workspaceId, after, limit: PAGE };
    const { bodies, next_after: next } = await this.webhooks.readEvents(asked);
    for (const stream of streams) for (const body of bodies) stream.send(body);
    return next !== undefined;
  }
}
