import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { DeviceStore } from './device.store.js';
import { isToken, newToken, tokenHash } from './session-token.js';

/** Browsers that logged in before. A log-in from one of them has its own limit on failures. */
@Injectable()
export class Devices {
  constructor(
    private readonly store: DeviceStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The hash of the token, when a user with this address logged in with it before. */
  async find(token: string | undefined, email: string): Promise<string | null> {
    if (token === undefined || !isToken(token)) return null;
    const hashed = tokenHash(token);
    return (await this.store.belongsTo(hashed, email)) ? hashed : null;
  }

  /** The token of a new device. */
  async remember(userId: string): Promise<string> {
    const token = newToken();
    await this.store.insert(tokenHash(token), userId, new Date(this.clock.now()));
    return token;
  }
}
