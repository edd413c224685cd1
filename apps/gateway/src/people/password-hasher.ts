import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Overloaded } from '@watchword/batching';
import { normalizedPassword } from './password.policy.js';

const derived = promisify(argon2);

/**
 * Argon2id with the first of OWASP's recommended settings (memory in KiB). Each hash names its settings, so they
 * can change. Hashing shares Node's threads with name look-ups, so only two run at once. With 100
 * waiting, further calls are refused.
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
type Cost = typeof COST;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const AT_ONCE = 2;
const WAITING_MAX = 100;

/** The form in which programs exchange hashes (the PHC string format): base64 without padding. */
const STORED =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[A-Za-z\d+/]+)\$(?<hash>[A-Za-z\d+/]+)$/;

/** A hash that no password has. A comparison with it takes as long as one with a real hash. */
const UNKNOWN_ACCOUNT = asStored(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

@Injectable()
export class PasswordHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return this.inTurn(async () => asStored(salt, await hashed(password, salt, COST, HASH_BYTES)));
  }

  /** Compares a password. `stored` is null for an unknown account; the work is then the same. */
  matches(password: string, stored: string | null): Promise<boolean> {
    const { salt, hash, cost } = fromStored(stored ?? UNKNOWN_ACCOUNT);
    return this.inTurn(async () =>
      timingSafeEqual(hash, await hashed(password, salt, cost, hash.length)),
    );
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

function hashed(password: string, salt: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  const message = normalizedPassword(password);
  return derived('argon2id', { ...cost, message, nonce: salt, tagLength });
}

function asStored(salt: Buffer, hash: Buffer): string {
  const { memory, passes, parallelism } = COST;
  const [saltText, hashText] = [salt, hash].map((bytes) =>
    bytes.toString('base64').replaceAll('=', ''),
  );
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${hashText}`;
}

function fromStored(stored: string): { salt: Buffer; hash: Buffer; cost: Cost } {
  const { salt, hash, memory, passes, parallelism } = STORED.exec(stored)?.groups ?? {};
  if (salt === undefined || hash === undefined) throw new Error('A stored password hash is broken');
  return {
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
  };
}
