import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { answerTo, readQuestion } from './dns-message.js';
import type { RecordStore } from './record.store.js';

const TCP_BYTES_MAX = 4_096;
const TCP_TIMEOUT_MS = 5_000;
const PORT_TRIES = 10;

/** A name server for the records of the control interface, over UDP and TCP on one port. */
export class DnsServer {
  private readonly udp;
  private readonly tcp = createServer((socket) => this.serve(socket));
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly records: RecordStore,
    host: string,
  ) {
    this.udp = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    this.udp.on('message', (message, { port, address }) => {
      const answer = this.answer(message, 'udp');
      if (answer) this.udp.send(answer, port, address);
    });
    this.udp.on('error', () => undefined);
  }

  /** 0 picks a port that is free for both. */
  async listen(host: string, port: number): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      this.tcp.listen(port, host);
      await once(this.tcp, 'listening');
      const { port: taken } = this.tcp.address() as AddressInfo;
      const bound = await this.bind(host, taken);
      if (bound) return taken;
      await new Promise((resolve) => this.tcp.close(resolve));
      if (port !== 0 || tries === PORT_TRIES) throw new Error(`UDP port ${taken} is taken`);
    }
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.tcp.close();
    await new Promise<void>((resolve) => {
      this.udp.close(() => resolve());
    }).catch(() => undefined);
  }

  private async bind(host: string, port: number): Promise<boolean> {
    return new Promise((resolve) => {
      const failed = () => resolve(false);
      this.udp.once('error', failed);
      this.udp.bind(port, host, () => {
        this.udp.removeListener('error', failed);
        resolve(true);
      });
    });
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.setTimeout(TCP_TIMEOUT_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    let read = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      read = Buffer.concat([read, chunk]);
      while (read.length >= 2) {
        const length = read.readUInt16BE(0);
        if (length > TCP_BYTES_MAX) return socket.destroy();
        if (read.length < 2 + length) return;
        const answer = this.answer(read.subarray(2, 2 + length), 'tcp');
        read = read.subarray(2 + length);
        if (!answer) return socket.destroy();
        const size = Buffer.alloc(2);
        size.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([size, answer]));
      }
    });
  }

  private answer(message: Buffer, transport: 'udp' | 'tcp'): Buffer | null {
    const question = readQuestion(message);
    return question && answerTo(question, this.records.find(question.name), transport);
  }
}
