/** An SMSC that answers with the frames that a real one sent, in their order. */
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const RESPONSE = 0x8000_0000;
const [UNBIND, ENQUIRE_LINK] = [0x06, 0x15];

export class ReplayedSmsc {
  /** Sequence number and status of the client's answers. */
  readonly answers: [sequence: number, status: number][] = [];
  /** Sequence numbers of the frames that want an answer. */
  readonly asked: number[] = [];
  private readonly frames: Buffer[];
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;

  constructor(recording: string) {
    const file = join(import.meta.dirname, 'fixtures', `${recording}.hex`);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    this.frames = lines.map((line) => Buffer.from(line, 'hex'));
  }

  async listen(): Promise<number> {
    const server = createServer((socket) => this.serve(socket));
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  private serve(socket: Socket): void {
    let read = Buffer.alloc(0);
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      read = Buffer.concat([read, chunk]);
      while (read.length >= 4 && read.length >= read.readUInt32BE(0)) {
        const frame = read.subarray(0, read.readUInt32BE(0));
        read = read.subarray(frame.length);
        this.take(frame, socket);
      }
    });
  }

  private take(frame: Buffer, socket: Socket): void {
    const [command, sequence] = [frame.readUInt32BE(4), frame.readUInt32BE(12)];
    if (command >= RESPONSE) {
      this.answers.push([sequence, frame.readUInt32BE(8)]);
    } else if (command === UNBIND || command === ENQUIRE_LINK) {
      const answer = Buffer.from(frame.subarray(0, 16));
      answer.writeUInt32BE(command + RESPONSE, 4);
      socket.write(answer);
    } else {
      this.replay(command, sequence, socket);
    }
  }

  /** Sends the recorded answer, and the receipts that came behind it. */
  private replay(command: number, sequence: number, socket: Socket): void {
    const answer = this.frames.shift();
    if (answer?.readUInt32BE(4) !== command + RESPONSE) return;
    answer.writeUInt32BE(sequence, 12);
    socket.write(answer);
    while (this.frames[0] !== undefined && this.frames[0].readUInt32BE(4) < RESPONSE) {
      const asked = this.frames.shift()!;
      this.asked.push(asked.readUInt32BE(12));
      socket.write(asked);
    }
  }
}
