/**
 * A carrier of the tests with its own connection, in the manner of SMPP: JSON lines over TCP. It
 * gives each part of a message its own id, reports each part, and repeats a report until the report
 * is acknowledged.
 */
import { type AddressInfo, createServer, connect, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Capacity } from '../src/capacity/capacity.js';
import type { ConnectedPeer } from './connection-contract.kit.js';
import {
  type CarrierReport,
  forAllKinds,
  type Provider,
  type ReportSink,
  type SubmitOutcome,
  type SubmitRequest,
} from '../src/provider.port.js';

const RECONNECT_MS = 20;
const REPEAT_MS = 50;

interface Line {
  readonly submit?: number;
  readonly parts?: number;
  readonly answer?: number;
  readonly ids?: string[];
  readonly report?: string;
  /** Of a report, which an acknowledgement names: two reports can be about one part. */
  readonly sequence?: number;
  readonly state?: CarrierReport['state'];
  readonly acknowledged?: number;
}

function say(socket: Socket | null, line: Line): void {
  socket?.write(`${JSON.stringify(line)}\n`);
}

function hear(socket: Socket, take: (line: Line) => void): void {
  createInterface({ input: socket })
    .on('line', (text) => take(JSON.parse(text) as Line))
    .on('error', () => socket.destroy());
}

/** The carrier's side. Its port stays the same while it is away. */
export class LineCarrierPeer implements ConnectedPeer {
  isMute = false;
  /** Ids of the parts of each submit. */
  readonly submits: string[][] = [];
  private server: Server | null = null;
  private readonly sockets = new Set<Socket>();
  private readonly open = new Map<string, Line>();
  private reported = 0;
  private readonly repeating = setInterval(() => this.repeat(), REPEAT_MS);
  private port = 0;
  private late = (): void => undefined;

  /** Answers the last submit. */
  answer(): void {
    this.late();
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async listen(): Promise<void> {
    const server = createServer((socket) => this.serve(socket));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    ({ port: this.port } = server.address() as AddressInfo);
  }

  async goAway(): Promise<void> {
    const { server } = this;
    this.server = null;
    for (const socket of this.sockets) socket.destroy();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  report(id: string, state: CarrierReport['state']): void {
    this.reported += 1;
    this.open.set(id, { report: id, state, sequence: this.reported });
    this.repeat();
  }

  get unacknowledged(): readonly string[] {
    return [...this.open.keys()];
  }

  async close(): Promise<void> {
    clearInterval(this.repeating);
    await this.goAway();
  }

  private repeat(): void {
    for (const socket of this.sockets) for (const line of this.open.values()) say(socket, line);
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => socket.destroy());
    hear(socket, ({ submit, parts = 1, acknowledged }) => {
      for (const [id, { sequence }] of this.open) {
        if (sequence === acknowledged) this.open.delete(id);
      }
      if (submit === undefined) return;
      const number = this.submits.length + 1;
      const ids = Array.from({ length: parts }, (_, index) => `part-${number}-${index + 1}`);
      this.submits.push(ids);
      this.late = () => say(socket, { answer: submit, ids });
      if (!this.isMute) this.late();
    });
  }
}

export class LineCarrierAdapter implements Provider {
  readonly carrier = 'line';
  readonly dndCapable = forAllKinds(false);
  readonly defaultSenderId = null;
  readonly senderNumber = null;
  readonly capacity: Capacity = { concurrency: 16, messagesPerSecond: null, waitingMax: 64 };
  private socket: Socket | null = null;
  private isReady = false;
  private isStopped = false;
  private onReports: ReportSink = async () => {};
  private submitted = 0;
  private readonly unanswered = new Map<number, (outcome: SubmitOutcome) => void>();

  constructor(
    readonly name: string,
    private readonly address: string,
  ) {}

  async start(onReports: ReportSink): Promise<void> {
    this.onReports = onReports;
    await this.connect();
  }

  ready(): boolean {
    return this.isReady;
  }

  submit({ segments }: SubmitRequest): Promise<SubmitOutcome> {
    if (!this.isReady) {
      const words = { rawCode: 'NOT_CONNECTED', rawMessage: 'There is no connection.' };
      return Promise.resolve({ outcome: 'refused', reason: 'provider_unavailable', ...words });
    }
    return new Promise((resolve) => {
      this.submitted += 1;
      this.unanswered.set(this.submitted, resolve);
      say(this.socket, { submit: this.submitted, parts: segments });
    });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.isReady = false;
    this.socket?.destroy();
    this.lost();
  }

  /** Resolves once the first try has ended, either way. */
  private connect(): Promise<void> {
    const [host = '', port] = this.address.split(':');
    const socket = connect(Number(port), host);
    this.socket = socket;
    hear(socket, (line) => this.take(socket, line));
    return new Promise((resolve) => {
      socket
        .on('connect', () => {
          this.isReady = !this.isStopped;
          resolve();
        })
        .on('error', () => socket.destroy())
        .on('close', () => {
          resolve();
          this.lost();
          if (!this.isStopped) setTimeout(() => void this.connect(), RECONNECT_MS).unref();
        });
    });
  }

  /** What was written and not answered may have been sent. */
  private lost(): void {
    this.isReady = false;
    const words = { rawCode: 'CONNECTION_LOST', rawMessage: null };
    for (const resolve of this.unanswered.values()) resolve({ outcome: 'ambiguous', ...words });
    this.unanswered.clear();
  }

  private take(
    socket: Socket,
    { answer, ids = [], report, state = 'enroute', sequence = 0 }: Line,
  ): void {
    if (answer !== undefined) {
      const [providerMessageId = ''] = ids;
      this.unanswered.get(answer)?.({ outcome: 'accepted', providerMessageId, partIds: ids });
      this.unanswered.delete(answer);
    }
    if (report === undefined) return;
    const reason = state === 'failed' ? 'unknown_subscriber' : null;
    const part = { id: report, count: null };
    const ours = { messageId: null, attempt: null, providerMessageId: report, part };
    const theirs = { state, reason, rawCode: state, rawMessage: null, network: null } as const;
    this.onReports([{ ...ours, ...theirs }]).then(
      () => say(socket, { acknowledged: sequence }),
      // It was not recorded. The carrier repeats it.
      () => undefined,
    );
  }
}
