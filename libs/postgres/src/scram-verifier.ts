import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** As PostgreSQL's own default. */
const ITERATIONS = 4_096;
const SALT_BYTES = 16;

/**
 * Returns what PostgreSQL stores of a password (RFC 5803): it proves the password, and does not contain it.
 * A statement with a password as it is would stand in the server's log. PostgreSQL takes a verifier with any
 * `password_encryption`, and for the methods `scram-sha-256`, `md5` and `password` of `pg_hba.conf`.
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(SALT_BYTES)): string {
  const salted = pbkdf2Sync(prepared(password), salt, ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest();
  const [inSalt, inStored, inServer] = [salt, stored, keyOf('Server Key')].map((part) =>
    part.toString('base64'),
  );
  return `SCRAM-SHA-256$${ITERATIONS}:${inSalt}$${inStored}:${inServer}`;
}

/** SASLprep (RFC 4013), as far as it changes bytes: clients and PostgreSQL do the same. */
function prepared(password: string): string {
  return password
    .replaceAll(/[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/g, ' ')
    .replaceAll(
      /\u00AD|\u034F|\u1806|\u180B|\u180C|\u180D|\u200C|\u200D|\u2060|[\uFE00-\uFE0F]|\uFEFF/g,
      '',
    )
    .normalize('NFKC');
}
