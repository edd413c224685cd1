import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { Admission } from './account.js';
import { DeviceStore } from './device.store.js';
import { wrongCredentials } from './password.policy.js';
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

  /** The token of a new device. Refuses a password that is not the user's any more. */
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
