import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '@watchword/contracts';
import { Overloaded } from '@watchword/batching';
import { ServiceUnavailable } from '../rpc.port.js';
import { fromWire, type Outcome } from './frames.js';
import type { Peer } from './peer.js';

interface Waiting {
  request: unknown;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

interface Frame {
  name: string;
  call: Call;
  requests: unknown[];
  expiresAt: number;
}

/** The replicas that one frame has asked. */
interface Search {
  /** Those that are not asked again. */
  readonly tried: Set<Peer>;
  readonly giveUpAt: number;
  /** Set when none is there. */
  gapEndsAt?: number;
}

/** Calls of one name that wait for a frame. */
interface Line {
  call: Call;
  waiting: Waiting[];
  framesInFlight: number;
  /** Timer until the next check of waiting calls. */
  held: NodeJS.Timeout | undefined;
}

/**
 * Frames of one name in flight to each replica. While there are so many, further calls gather until
 * one returns, because a frame costs about ten times as much as a call in it.
 */
const FRAMES_AT_ONCE = 2;
/** Most milliseconds that calls gather. The frame they wait for may be slow. */
const GATHER_MS_MAX = 2;
/** Most calls in a frame. One turn of a very busy caller sends several. */
const CALLS_PER_FRAME_MAX = 256;
/**
 * Milliseconds for which calls wait for another replica after one was there. In an update one
 * replica leaves when the new one is ready, to which we may not be connected yet. After that the
 * service is unavailable at once.
 */
const GAP_MS_MAX = 5_000;
const GAP_LOOK_EVERY_MS = 20;
/** A longer delay means that this process is too slow. */
const CALLS_IN_HAND_MAX = 20_000;

/**
 * Calls to one service, spread over its replicas in turn. Calls of one name within one turn of the
 * event loop leave as one frame, except large ones. Calls made while others are in flight may
 * gather briefly.
 *
 * A frame that certainly had no effect goes to the next replica. One with an unknown outcome is
 * repeated only where the call is idempotent, within the call's deadline.
 */
export class ServiceCaller {
  private readonly lines = new Map<string, Line>();
  private turn = 0;
  private inHand = 0;

  constructor(
    private readonly service: string,
    private readonly peers: readonly Peer[],
  ) {}

  get reachable(): boolean {
    return this.peers.some((peer) => peer.available);
  }

  invoke(name: string, call: Call, request: unknown): Promise<unknown> {
    if (this.inHand >= CALLS_IN_HAND_MAX) return Promise.reject(new Overloaded(this.service));
    this.inHand += 1;
    const line = this.lineOf(name, call);
    return new Promise((resolve, reject) => {
      line.waiting.push({ request, resolve, reject });
      if (line.waiting.length === 1) setImmediate(() => this.leave(name, line));
    });
  }

  private lineOf(name: string, call: Call): Line {
    const known = this.lines.get(name);
    if (known) return known;
    const line: Line = { call, waiting: [], framesInFlight: 0, held: undefined };
    this.lines.set(name, line);
    return line;
  }

  /** Sends the frame at the end of the turn, unless it is better to gather. */
  private leave(name: string, line: Line): void {
    const roomy = line.framesInFlight < FRAMES_AT_ONCE * this.peers.length;
    if (roomy) this.flush(name, line);
    else line.held = setTimeout(() => this.flush(name, line), GATHER_MS_MAX);
  }

  private flush(name: string, line: Line): void {
    clearTimeout(line.held);
    line.held = undefined;
    const all = line.waiting;
    line.waiting = [];
    const perFrame = line.call.alone ? 1 : CALLS_PER_FRAME_MAX;
    for (let start = 0; start < all.length; start += perFrame) {
      void this.send(name, line, all.slice(start, start + perFrame));
    }
  }

  private async send(name: string, line: Line, waiting: readonly Waiting[]): Promise<void> {
    const { call } = line;
    line.framesInFlight += 1;
    const requests = waiting.map(({ request }) => request);
    const expiresAt = performance.now() + call.deadlineMs;
    try {
      const outcomes = await this.deliver({ name, call, requests, expiresAt });
      waiting.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index] as Outcome;
        if ('error' in outcome) reject(fromWire(this.service, name, outcome.error));
        else resolve(outcome.result);
      });
    } catch (error) {
      for (const { reject } of waiting) reject(error as Error);
    } finally {
      this.inHand -= waiting.length;
      line.framesInFlight -= 1;
      if (line.held) this.flush(name, line);
    }
  }

  private async deliver(frame: Frame): Promise<Outcome[]> {
    const { name, call, requests, expiresAt } = frame;
    const search: Search = { tried: new Set(), giveUpAt: expiresAt };
    let unknown: unknown;
    for (;;) {
      const leftMs = expiresAt - performance.now();
      const peer = leftMs > 0 ? await this.nextPeer(search) : undefined;
      if (!peer) throw new ServiceUnavailable(this.service, name, unknown !== undefined, unknown);
      try {
        const withinMs = this.mayAskAgain(call, peer, search) ? leftMs / 2 : leftMs;
        const answer = await peer.call(`${this.service}.${name}`, requests, withinMs);
        if ('outcomes' in answer && answer.outcomes.length === requests.length) {
          return answer.outcomes;
        }
        // The peer did nothing. Where it left, the process in its place may be asked.
        const isUnavailable = 'refused' in answer && answer.refused === 'away';
        if (!isUnavailable || peer.available) search.tried.add(peer);
      } catch (error) {
        unknown = error;
        search.tried.add(peer);
        if (!call.idempotent) throw new ServiceUnavailable(this.service, name, true, error);
      }
    }
  }

  private mayAskAgain(call: Call, now: Peer, { tried }: Search): boolean {
    const mayAsk = (peer: Peer) => peer.available && peer !== now && !tried.has(peer);
    return call.idempotent && this.peers.some(mayAsk);
  }

  /** Returns available replicas in turn. Waits only while there is none. */
  private async nextPeer(search: Search): Promise<Peer | undefined> {
    const there = this.pick(search);
    if (there) return there;
    await this.firstTries(search.giveUpAt - performance.now());
    return this.pick(search) ?? this.afterGap(search);
  }

  private async firstTries(withinMs: number): Promise<void> {
    const allTried = Promise.all(this.peers.map((peer) => peer.tried));
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([...this.peers.map((peer) => peer.tried), enough]);
    if (!this.reachable) await Promise.race([allTried, enough]);
    clearTimeout(timer);
  }

  private async afterGap(search: Search): Promise<Peer | undefined> {
    search.gapEndsAt ??= Math.max(...this.peers.map((peer) => peer.availableAtMs)) + GAP_MS_MAX;
    const until = Math.min(search.giveUpAt, search.gapEndsAt);
    while (performance.now() < until) {
      await sleep(GAP_LOOK_EVERY_MS);
      const there = this.pick(search);
      if (there) return there;
    }
    return undefined;
  }

  private pick({ tried }: Search): Peer | undefined {
    for (let step = 0; step < this.peers.length; step += 1) {
      this.turn = (this.turn + 1) % this.peers.length;
      const peer = this.peers[this.turn] as Peer;
      if (peer.available && !tried.has(peer)) return peer;
    }
    return undefined;
  }
}
