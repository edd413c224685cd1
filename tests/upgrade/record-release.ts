/**
 * `node tests/upgrade/record-release.ts [--without a.function,a.table.column]`: declares this commit the last release.
 * Writes it into `deploy/last-release`, and what its schemas and `/v1` are into `tests/upgrade/last-release.json`; both are
 * committed next. `--without` names what no program of this commit uses, so that the next one may drop it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate, startEmbeddedPostgres } from '@watchword/postgres';
import { root } from './release-checkout.ts';
import {
  currentApi,
  hashesOf,
  passwords,
  plans,
  recordFile,
  type ReleaseRecord,
} from './released.ts';
import { contractions, readFacts, withoutUnused } from './schema-facts.ts';

const { values } = parseArgs({ options: { without: { type: 'string', default: '' } } });
const unused = values.without.split(',').filter((name) => name !== '');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const changed = git('status', '--porcelain', ':(glob)*/*/src/**').trim();
if (changed !== '') throw new Error(`what is recorded has to be committed first:\n${changed}`);
const commit = git('rev-parse', 'HEAD').trim();
const directory = mkdtempSync(join(tmpdir(), 'watchword-record-'));
const server = await startEmbeddedPostgres({ directory });
try {
  await migrate({ adminUrl: server.url, passwords, plans });
  const migrations: ReleaseRecord['migrations'] = {};
  for (const plan of plans) migrations[plan.schema] = await hashesOf(plan.migrations);
  const all = await readFacts(server.url);
  const facts = withoutUnused(all, unused);
  const unknown = unused.filter(
    (name) => contractions(all, withoutUnused(all, [name])).length === 0,
  );
  if (unknown.length > 0) throw new Error(`the schemas have no ${unknown.join(', ')}`);
  const record: ReleaseRecord = { commit, migrations, unused, facts, api: currentApi() };
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
  const about =
    '# The release before this one, a commit of main: see docs/guides/operate/upgrade.md.';
  writeFileSync(join(root, 'deploy/last-release'), `${about}\n${commit}\n`);
  console.log(`${commit} is the last release now`);
} finally {
  await server.destroy();
}
