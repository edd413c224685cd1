import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { Overloaded } from '@watchword/batching';
import { normalizedPassword } from './password.policy.js';

/**
 * Argon2id with the first of OWASP's recommended settings. Each hash names its settings, so they
 * can change. Hashing shares Node's threads with name look-ups, so only two run at once. With 100
 * waiting, further calls are refused.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const AT_ONCE = 2;
const WAITING_MAX = 100;

/** A hash that no password has. A comparison with it takes as long as one with a real hash. */
const UNKNOWN_ACCOUNT = [
  `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`,
  randomBytes(16).toString('base64').replaceAll('=', ''),
  randomBytes(32).toString('base64').replaceAll('=', ''),
].join('$');

@Injectable()
export class PasswordHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(normalizedPassword(password), COST));
  }

  /** Compares a password. `stored` is null for an unknown account; the work is then the same. */
  matches(password: string, stored: string | null): Promise<boolean> {
    return this.inTurn(() => verify(stored ?? UNKNOWN_ACCOUNT, normalizedPassword(password)));
  }

  private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.turn();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  private turn(): Promise<void> | undefined {
    if (this.running < AT_ONCE) {
      this.running += 1;
      return undefined;
    }
    if (this.waiting.length >= WAITING_MAX) throw new Overloaded('password hashing');
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
