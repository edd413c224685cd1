import type { ClientBase } from 'pg';

/**
 * Connections that are not to be used again. Whether one takes writes may be settled when it is opened,
 * so when one of them refuses, those that were opened until then, or while it lasted, are replaced.
 */
export class OutdatedConnections {
  private readonly openedIn = new WeakMap<ClientBase, number>();
  private era = 0;

  opened(client: ClientBase): void {
    this.openedIn.set(client, this.era);
  }

  /** From now on those that are open. */
  begin(): void {
    this.era += 1;
  }

  has(client: ClientBase): boolean {
    return this.openedIn.get(client) !== this.era;
  }
}
