import type { DomainRecord } from '@watchword/contracts';
import { freePort } from '@watchword/postgres';
import DNS from 'dns2';

const STRING_MAX = 255;
const TTL_SECONDS = 1;
const SERVER_FAILURE = 2;

type Zone = readonly Pick<DomainRecord, 'type' | 'name' | 'value'>[];

/** A name server on this machine that answers with the records of a test. */
export class LocalDns {
  private zone: Zone = [];
  private isBroken = false;

  private constructor(
    private readonly server: ReturnType<typeof DNS.createServer>,
    readonly address: string,
  ) {}

  static async open(): Promise<LocalDns> {
    const server = DNS.createServer({
      udp: true,
      tcp: true,
      handle: (request, send) => void send(open.answer(request)),
    });
    // The answer for a key can be longer than a datagram, so both transports have one port.
    const at = { port: await freePort(), address: '127.0.0.1' };
    await server.listen({ udp: at, tcp: at });
    const open = new LocalDns(server, `${at.address}:${at.port}`);
    return open;
  }

  publish(zone: Zone): void {
    this.zone = zone;
  }

  /** While it fails, every answer about a domain of a test is SERVFAIL: their name servers are silent. */
  fail(isBroken: boolean): void {
    this.isBroken = isBroken;
  }

  async close(): Promise<void> {
    await this.server.close();
  }

  private answer(request: DNS.Packet): DNS.Packet {
    const { Packet } = DNS;
    const response = Packet.createResponseFromRequest(request);
    const [question] = request.questions;
    if (question === undefined) return response;
    // A name without a dot is of the registries, which answer.
    const isSilent = this.isBroken && question.name.includes('.');
    if (isSilent) response.header.rcode = SERVER_FAILURE;
    if (isSilent) return response;
    const { name } = question;
    for (const { type, name: owner, value } of this.zone) {
      if (owner !== name || Packet.TYPE[type] !== (question.type as number)) continue;
      const common = { name, type: Packet.TYPE[type], class: Packet.CLASS.IN, ttl: TTL_SECONDS };
      response.answers.push({ ...common, ...dataOf(type, value) } as never);
    }
    return response;
  }
}

function dataOf(type: DomainRecord['type'], value: string): object {
  if (type === 'MX') return { exchange: value, priority: 10 };
  if (type === 'CNAME') return { domain: value };
  return { data: value.match(new RegExp(`[^]{1,${STRING_MAX}}`, 'g')) ?? [] };
}
