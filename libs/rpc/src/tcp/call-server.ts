import type { AddressInfo, Server, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerTCP, type TcpContext } from '@nestjs/microservices';
import { isSameSecret } from '@watchword/contracts';
import type { Handler, ServedCalls } from '../served-calls.js';
import { CallSocket, HalfFrames } from './call-socket.js';
import {
  CALLS,
  type CallsFrame,
  type FrameAnswer,
  GREET_EVERY_MS,
  GREETING,
  type Greeting,
  type GreetingAnswer,
  type Outcome,
  toWire,
} from './frames.js';

export interface CallServerOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Any of them opens a connection. */
  secrets: readonly string[];
  tls?: TlsFiles;
}

/** Contents of PEM files. Both ends show a certificate of this authority. */
export interface TlsFiles {
  cert: string;
  key: string;
  ca: string;
}

/** A caller that goes away breaks its connection, which is no error here. */
class QuietServer extends ServerTCP {
  /** Before the greeting, only a greeting is read. */
  override async handleMessage(socket: CallSocket, message: unknown): Promise<unknown> {
    const { pattern } = message as { pattern?: unknown };
    if (socket.greeted || pattern === GREETING) return super.handleMessage(socket, message);
    return socket.netSocket.destroy();
  }

  protected override handleError(): void {}

  /** Sends an answer without waiting for the acknowledgement of the one before it. */
  override bindHandler(socket: Socket): void {
    socket.setNoDelay(true);
    super.bindHandler(socket);
  }
}

/**
 * Milliseconds. Callers check more often whether this server is there. A busy caller may need longer
 * to notice and to close.
 */
const LEAVE_TIMEOUT_MS = GREET_EVERY_MS + 500;

/**
 * Answers the calls of other processes.
 *
 * States: listening, leaving (frames are refused, so callers use another replica; current ones
 * finish; each caller closes its connection once it has its answers), closed.
 */
export class CallServer {
  private readonly server: ServerTCP;
  private inHand = 0;
  /** Connections over which frames may come. */
  private readonly callers = new Set<CallSocket>();
  private leaving = false;
  /** Aborted when nothing is in hand, and no frame may come. */
  private readonly drained = new AbortController();

  constructor(
    private readonly served: ServedCalls,
    private readonly options: CallServerOptions,
  ) {
    const { host, port, tls } = options;
    const tlsOptions = tls && { ...tls, requestCert: true, rejectUnauthorized: true };
    const halfFrames = new HalfFrames();
    const socketClass = class extends CallSocket {
      constructor(socket: Socket) {
        super(socket, halfFrames);
      }
    };
    this.server = new QuietServer({ host, port, tlsOptions, socketClass });
    this.server.addHandler(GREETING, async (greeting: Greeting, context: TcpContext) =>
      this.greet(greeting, context.getSocketRef() as unknown as CallSocket),
    );
    this.server.addHandler(CALLS, async (frame: CallsFrame) => this.answer(frame));
  }

  /** Resolves with the port. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      const server = this.server.unwrap<Server>();
      server.once('error', reject);
      // Nest reports a taken port here, and every other problem by the event.
      this.server.listen((error?: unknown) => {
        if (error) return reject(error as Error);
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** Accepts nothing new. Resolves when everything is answered and the callers have closed. */
  async leave(): Promise<void> {
    this.leaving = true;
    this.noteDrained();
    const { signal } = this.drained;
    // A caller that is suspended never closes, so the wait has an end.
    do await sleep(LEAVE_TIMEOUT_MS, undefined, { signal }).catch(() => undefined);
    while (this.inHand > 0);
  }

  close(): void {
    this.leaving = true;
    this.server.close();
  }

  private greet({ secret }: Greeting, socket: CallSocket): GreetingAnswer {
    if (!this.isSecret(secret)) {
      setImmediate(() => socket.end());
      return { refused: 'secret' };
    }
    socket.greet();
    if (this.leaving) return { refused: 'away' };
    this.remember(socket);
    return { now: performance.now() };
  }

  private remember(caller: CallSocket): void {
    if (this.callers.has(caller)) return;
    this.callers.add(caller);
    caller.netSocket.once('close', () => {
      this.callers.delete(caller);
      this.noteDrained();
    });
  }

  private noteDrained(): void {
    if (this.leaving && this.inHand === 0 && this.callers.size === 0) this.drained.abort();
  }

  private async answer({ name, expires_at, requests }: CallsFrame): Promise<FrameAnswer> {
    const handler = this.served.get(name);
    if (this.leaving || !handler) return { refused: 'away' };
    // This process was paused or too busy. The caller has stopped waiting.
    if (performance.now() > expires_at) return { refused: 'expired' };
    this.inHand += 1;
    try {
      return { outcomes: await Promise.all(requests.map((request) => outcome(handler, request))) };
    } finally {
      this.inHand -= 1;
      this.noteDrained();
    }
  }

  private isSecret(given: unknown): boolean {
    if (typeof given !== 'string') return false;
    return this.options.secrets.filter((known) => isSameSecret(given, known)).length > 0;
  }
}

async function outcome(handler: Handler, request: unknown): Promise<Outcome> {
  try {
    return { result: await handler(request) };
  } catch (error) {
    return { error: toWire(error) };
  }
}
