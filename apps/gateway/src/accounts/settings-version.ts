import { Injectable } from '@nestjs/common';

/**
 * Notices changes of settings of the installation, which each gateway keeps in memory. Every
 * look-up of keys returns their version, so a request with a key never uses old settings.
 */
@Injectable()
export class SettingsVersion {
  private readonly loads: (() => Promise<void>)[] = [];
  private known = -1;

  /** Adds a part that loads its settings again after a change. */
  onChange(load: () => Promise<void>): void {
    this.loads.push(load);
  }

  async reached(version: number): Promise<void> {
    if (version === this.known) return;
    await Promise.all(this.loads.map((load) => load()));
    this.known = version;
  }
}
