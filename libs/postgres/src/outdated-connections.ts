import type { ClientBase } from 'pg';

/**
 * Connections that must not be used again. A connection may find at its start whether it takes
 * writes. So when one refuses writes, all that were opened until then, or during the refusal, are
 * replaced.
 */
export class OutdatedConnections {
  private readonly openedIn = new WeakMap<ClientBase, number>();
  private era = 0;

  opened(client: ClientBase): void {
    this.openedIn.set(client, this.era);
  }

  /** Marks the connections that are open from now on. */
  begin(): void {
    this.era += 1;
  }

  has(client: ClientBase): boolean {
    return this.openedIn.get(client) !== this.era;
  }
}
