import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import DNS from 'dns2';
import type { DnsRecord, RecordStore } from './record.store.js';

const { Packet } = DNS;
type Resource = DNS.Packet.Resource;

const TTL_SECONDS = 1;
const PORT_TRIES = 10;
/** A string of a TXT record has at most 255 bytes, and a character at most four. */
const TXT_STRINGS = /[^]{1,63}/gu;

/** A name server for the records of the control interface, over UDP and TCP on one port. */
export class DnsServer {
  private readonly udp;
  private readonly tcp;
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly records: RecordStore,
    host: string,
  ) {
    const handle: DNS.DnsHandler = (request, send) => {
      const answer = this.answerTo(request);
      if (answer) void send(answer);
    };
    this.udp = DNS.createUDPServer({ type: host.includes(':') ? 'udp6' : 'udp4' });
    this.udp.on('request', handle).on('error', () => undefined);
    this.tcp = DNS.createTCPServer(handle);
    this.tcp.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  /** 0 picks a port that is free for both. */
  async listen(host: string, port: number): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      this.tcp.listen(port, host);
      await once(this.tcp, 'listening');
      const { port: taken } = this.tcp.address() as AddressInfo;
      if (await this.bind(host, taken)) return taken;
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

  private answerTo(request: DNS.Packet): DNS.Packet | null {
    const [question] = request.questions;
    if (question === undefined || request.header.qr === 1) return null;
    const { name, type } = question;
    const ofName = this.records.find(name.toLowerCase());
    const answer = Packet.createResponseFromRequest(request);
    answer.header.aa = 1;
    answer.header.rcode = ofName.length === 0 ? Packet.RCODE.NXDOMAIN : Packet.RCODE.NOERROR;
    answer.answers = ofName
      .filter((record) => Packet.TYPE[record.type] === type || record.type === 'CNAME')
      .map((record) => {
        const common = { name, class: Packet.CLASS.IN, ttl: TTL_SECONDS };
        return { ...common, type: Packet.TYPE[record.type], ...dataOf(record) } as Resource;
      });
    return answer;
  }
}

function dataOf({ type, value, priority = 10 }: DnsRecord): Partial<Resource> {
  switch (type) {
    case 'TXT':
      return { data: value.match(TXT_STRINGS) ?? [''] };
    case 'MX':
      return { exchange: value, priority };
    case 'NS':
      return { ns: value };
    case 'CNAME':
      return { domain: value };
    default:
      return { address: value };
  }
}
