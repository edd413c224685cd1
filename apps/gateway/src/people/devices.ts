import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { Admission } from './account.js';
import { DeviceStore } from './device.store.js';
import { wrongCredentials } from './password.policy.js';
import { isToken, newToken, tokenHash } from './session-token.js';

/** Browsers that logged in before. A log-in from one of them has its own limit of failures. */
@Injectable()
export class Devices {
  constructor(
    private readonly store: DeviceStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the hash of the token if a user with this address has logged in with it. */
  async find(token: string | undefined, email: string): Promise<string | null> {
    if (token === undefined || !isToken(token)) return null;
    const hashed = tokenHash(token);
    return (await this.store.belongsTo(hashed, email)) ? hashed : null;
  }

  /** Returns the token of a new device. Refuses a password that has changed meanwhile. */
  async remember({ member, passwordHash }: Admission): Promise<string> {
    const token = newToken();
    const device = {
      tokenHash: tokenHash(token),
      userId: member.user.id,
      passwordHash,
      at: new Date(this.clock.now()),
    };
    if (!(await this.store.insert(device))) throw wrongCredentials();
    return token;
  }
}
