import { resolve } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type Fingerprint, readFingerprints } from '@watchword/host';
import { createClient, startBaseBackup } from '@watchword/postgres';
import { type BackupInfo, writeBackup } from '../back-up/backup-file.js';
import { dump, findClient } from '../back-up/postgres-clients.js';
import { megabytes, sayProgress } from '../back-up/progress.js';
import type { OperatorCommand, OperatorContext } from '../operator-command.js';

/** Fast: the disk should be the limit, not the CPU. */
const GZIP_LEVEL = 3;

export const backUp: OperatorCommand = {
  name: 'back-up',
  summary: 'Write the whole database into <file>, while the services run.',
  parameters: [{ name: 'file' }],
  needs: () => 'database',
  services: ['billing'],
  async run(context) {
    const {
      args: [file = ''],
      say,
    } = context;
    const path = resolve(file);
    const url = await context.adminUrl();
    const info = await describe(context, url);
    const progress = sayProgress(say, 'Backing up');
    let state = () => '';
    const openContent = async () => {
      const opened = await contentOf(info, url);
      state = opened.state;
      return opened.content;
    };
    const header = await writeBackup(path, info, openContent, (bytes) =>
      progress(`${megabytes(bytes)} written${state()}`),
    );
    say(
      `${path}: ${megabytes(header.bytes)}, SHA-256 ${header.sha256} behind the first 8192 bytes.`,
    );
    say('Keep PEPPER, the encryption keys and the other secrets elsewhere: they are not in it.');
  },
};

async function describe(context: OperatorContext, url: string): Promise<BackupInfo> {
  const client = createClient({ url, applicationName: 'watchword-backup' });
  await client.connect();
  try {
    const { rows } = await client.query<{ major: number; roles: string[] }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS major,
              array(SELECT rolname::text FROM pg_roles
                     WHERE rolname LIKE 'watchword\\_%' OR rolname = current_user
                     ORDER BY rolname) AS roles`,
    );
    const { major, roles } = rows[0]!;
    const fingerprints: Record<string, Fingerprint[]> = {};
    for (const { name } of context.definitions) {
      fingerprints[name] = (await readFingerprints(client, name)) ?? [];
    }
    return {
      kind: context.embedded ? 'cluster' : 'dump',
      made_at: new Date().toISOString(),
      postgres: major,
      machine: `${process.platform}-${process.arch}`,
      roles,
      fingerprints,
    };
  } finally {
    await client.end();
  }
}

async function contentOf(
  { kind, postgres }: BackupInfo,
  url: string,
): Promise<{ content: Readable; state: () => string }> {
  if (kind === 'dump') {
    const program = await findClient('pg_dump', postgres);
    return { content: dump(program, url), state: () => '' };
  }
  const { archive, progress } = await startBaseBackup(url);
  // A failure of the archive destroys the compressed one, whose reader then fails.
  const content = pipeline(archive, createGzip({ level: GZIP_LEVEL }), () => undefined);
  const state = () => {
    const { done, total } = progress();
    return `, ${megabytes(done)} of about ${megabytes(total)} read`;
  };
  return { content, state };
}
