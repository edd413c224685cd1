import { createHash } from 'node:crypto';
import type { Config, ServiceName } from '@watchword/config';
import { keyIdOf } from '@watchword/platform';
import type { createClient } from '@watchword/postgres';
import { UserError } from '../user-error.js';

type Client = Pick<ReturnType<typeof createClient>, 'query'>;

interface Fingerprint {
  name: string;
  fingerprint: string;
}

/** Names of the secrets, as the rows have them. */
const ENCRYPTION_KEYS = 'ENCRYPTION_KEYS';
const KEY_READERS: readonly ServiceName[] = ['billing', 'dispatch', 'webhooks'];

/**
 * Refuses a start with secrets other than those of the data: codes would never verify, webhook
 * secrets would not decrypt, processes would refuse each other's calls. A first start stores the
 * fingerprints.
 */
export async function checkSecrets(
  client: Client,
  services: readonly ServiceName[],
  config: Config,
): Promise<void> {
  const known = await fingerprintsIn(client, services);
  // All before any is stored: a refused start leaves nothing that the right secrets would lack.
  for (const [service, seen] of known) checkFingerprints(seen, service, config);
  for (const [service, seen] of known) await keepFingerprints(client, service, config, seen);
}

async function keepFingerprints(
  client: Client,
  service: ServiceName,
  config: Config,
  seen: readonly Fingerprint[],
): Promise<void> {
  const given = fingerprintsOf(service, config);
  // From a ring, only the key that writes: the others were stored when they wrote. From the secrets
  // of internal calls, all: a replica with only the old one may start once more during a change.
  const kept = given.filter(
    ({ name }, index) =>
      name !== ENCRYPTION_KEYS || given.findIndex((one) => one.name === name) === index,
  );
  const others = seen.filter(
    ({ name }) => name !== ENCRYPTION_KEYS && kept.some((one) => one.name === name),
  );
  if (includesAll(seen, kept) && includesAll(kept, others)) return;
  await client.query(
    `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[]) AS one (name, fingerprint)),
     gone AS (
       DELETE FROM ${service}.secret_fingerprints AS seen
       WHERE name <> $3 AND name IN (SELECT name FROM given)
         AND (name, fingerprint) NOT IN (SELECT name, fingerprint FROM given)
     )
     INSERT INTO ${service}.secret_fingerprints (name, fingerprint) SELECT * FROM given
     ON CONFLICT DO NOTHING`,
    [kept.map(({ name }) => name), kept.map(({ fingerprint }) => fingerprint), ENCRYPTION_KEYS],
  );
}

function includesAll(these: readonly Fingerprint[], those: readonly Fingerprint[]): boolean {
  return those.every(({ name, fingerprint: one }) =>
    these.some((other) => other.name === name && other.fingerprint === one),
  );
}

/** Without services whose table is not there yet. */
async function fingerprintsIn(
  client: Client,
  services: readonly ServiceName[],
): Promise<Map<ServiceName, Fingerprint[]>> {
  const found = await client.query(
    `SELECT service FROM unnest($1::text[]) AS service
      WHERE to_regclass(service || '.secret_fingerprints') IS NOT NULL`,
    [services],
  );
  const seen = new Map<ServiceName, Fingerprint[]>();
  for (const { service } of found.rows) seen.set(service, []);
  if (seen.size === 0) return seen;
  const selects = [...seen.keys()].map(
    (service) =>
      `SELECT '${service}' AS service, name, fingerprint FROM ${service}.secret_fingerprints`,
  );
  const { rows } = await client.query(selects.join(' UNION ALL '));
  for (const { service, ...one } of rows) seen.get(service)!.push(one);
  return seen;
}

/** Throws when these settings lack a secret that the data was written with. */
function checkFingerprints(
  seen: readonly Fingerprint[],
  service: ServiceName,
  config: Config,
): void {
  const given = fingerprintsOf(service, config);
  const isOurs = ({ name, fingerprint }: Fingerprint) =>
    given.some((one) => one.name === name && one.fingerprint === fingerprint);
  for (const one of seen) {
    const { name, fingerprint } = one;
    if (!given.some((ours) => ours.name === name) || isOurs(one)) continue;
    if (name === ENCRYPTION_KEYS) throw new UserError(keyIsMissing(fingerprint));
    // One in common is enough: during a change there are two.
    if (!seen.some((other) => other.name === name && isOurs(other))) {
      throw new UserError(isOther(name));
    }
  }
}

/**
 * Refuses a ring that a rotation must not write with: one that lacks a key of the data, or whose
 * first key no service has started with. Services that still run could not read its values.
 */
export async function checkRotation(
  client: Client,
  services: readonly ServiceName[],
  config: Config,
): Promise<void> {
  const known: Fingerprint[] = [];
  for (const [service, seen] of await fingerprintsIn(client, services)) {
    const keys = seen.filter(({ name }) => name === ENCRYPTION_KEYS);
    checkFingerprints(keys, service, config);
    known.push(...keys);
  }
  const current = keyIdOf(config.encryptionKeys[0] ?? '');
  if (known.some(({ fingerprint: one }) => one === current)) return;
  throw new UserError(firstKeyIsUnknown(current));
}

/** Deletes old keys after `rotate-keys`: all data is now written with the first key of the ring. */
export async function forgetOldKeys(client: Client, service: ServiceName, config: Config) {
  const [current = ''] = config.encryptionKeys;
  await client.query(
    `DELETE FROM ${service}.secret_fingerprints WHERE name = $1 AND fingerprint <> $2`,
    [ENCRYPTION_KEYS, keyIdOf(current)],
  );
}

function fingerprintsOf(service: ServiceName, config: Config): Fingerprint[] {
  const keys = KEY_READERS.includes(service) ? config.encryptionKeys : [];
  const { pepper, billingRpcSecret, dispatchRpcSecret, webhooksRpcSecret } = config;
  const secrets: Record<string, readonly string[]> = {
    PEPPER: service === 'dispatch' && pepper !== '' ? [pepper] : [],
    BILLING_RPC_SECRET: billingRpcSecret,
    DISPATCH_RPC_SECRET: dispatchRpcSecret,
    WEBHOOKS_RPC_SECRET: webhooksRpcSecret,
  };
  return [
    ...keys.map((key) => ({ name: ENCRYPTION_KEYS, fingerprint: keyIdOf(key) })),
    ...Object.entries(secrets).flatMap(([name, values]) =>
      values.map((secret) => ({ name, fingerprint: fingerprint(name, secret) })),
    ),
  ];
}

function fingerprint(name: string, secret: string): string {
  return createHash('sha256').update(`watchword ${name} ${secret}`).digest('hex').slice(0, 16);
}

const isOther = (name: string): string =>
  `${name} is not the one that this database was used with. Set the old one, or let the database ` +
  `forget it: docs/guides/operate/secrets.md says how.`;

const keyIsMissing = (id: string): string =>
  `The encryption key ${id} has written values of this database and is missing. ` +
  'Add it to ENCRYPTION_KEYS behind the first one; npm run operator -- rotate-keys makes it dispensable.';

const firstKeyIsUnknown = (id: string): string =>
  `No service has started with the encryption key ${id}, the first one of ENCRYPTION_KEYS. ` +
  'Set ENCRYPTION_KEYS=<new>,<old> for the services, replace their processes, ' +
  'and run this command again with the same ENCRYPTION_KEYS.';
