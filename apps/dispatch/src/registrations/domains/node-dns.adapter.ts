import { Resolver } from 'node:dns/promises';
import type { Dns } from './dns.port.js';

const TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Codes that say that there is no such record. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);
/**
 * A resolver that reaches the internet knows it, and keeps it for a quarter of an hour only. Any answer counts, also
 * that there is no such name, as a resolver of a closed network says.
 */
const KNOWN_NAME = 'com';

/** Asks the given servers, or the machine's. It caches nothing. */
export class NodeDns implements Dns {
  constructor(private readonly servers: readonly string[]) {}

  async txt(name: string): Promise<string[]> {
    const records = await this.ask((resolver) => resolver.resolveTxt(name));
    return records.map((strings) => strings.join(''));
  }

  async mx(name: string): Promise<string[]> {
    const records = await this.ask((resolver) => resolver.resolveMx(name));
    const best = Math.min(...records.map(({ priority }) => priority));
    return records.filter(({ priority }) => priority === best).map(({ exchange }) => exchange);
  }

  cname(name: string): Promise<string[]> {
    return this.ask((resolver) => resolver.resolveCname(name));
  }

  async isThere(): Promise<boolean> {
    try {
      await this.ask(async (resolver) => [await resolver.resolveSoa(KNOWN_NAME)]);
      return true;
    } catch {
      return false;
    }
  }

  private async ask<Answer>(look: (resolver: Resolver) => Promise<Answer[]>): Promise<Answer[]> {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    try {
      return await look(resolver);
    } catch (error) {
      if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  }
}
