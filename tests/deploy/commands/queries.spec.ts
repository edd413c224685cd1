/** Queries that pages show work on a database of this version. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { installation } from '@watchword/all-in-one';
import { busPlan } from '@watchword/bus';
import { schemaPlanOf } from '@watchword/platform';
import { createClient } from '@watchword/postgres';
import { type ClonedDatabase, cloneDatabase } from '@watchword/testing';
import { linesOf, type Shown, spans } from './shown.js';

let database: ClonedDatabase;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  database = await cloneDatabase([...installation.definitions.map(schemaPlanOf), busPlan]);
  client = createClient({ url: database.adminUrl, applicationName: 'pages' });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** `psql … --command '<query>'` of the shell, blocks of SQL, and SELECTs within sentences. */
function queries(): Shown[] {
  const byPage = Map.groupBy(linesOf('sql'), ({ page }) => page);
  const blocks = [...byPage].flatMap(([page, lines]) =>
    lines
      .map(({ text }) => text)
      .join(' ')
      .split(';')
      .map((text) => ({ page, text: text.trim() })),
  );
  const typed = linesOf('sh').flatMap(({ page, text }) =>
    [...text.matchAll(/psql .*--command '([^']+)'/g)].map(([, query = '']) => ({
      page,
      text: query,
    })),
  );
  const said = spans.filter(({ text }) => text.startsWith('SELECT '));
  // No process has this number.
  return [...blocks, ...typed, ...said]
    .filter(({ text }) => text !== '')
    .map(({ page, text }) => ({ page, text: text.replaceAll('<pid>', '2147483647') }));
}

it.each(queries())('$page: $text', async ({ text }) => {
  const { command } = await client.query(text);
  expect(command).toBe('SELECT');
});

it('they are some', () => expect(queries().length).toBeGreaterThan(7));
