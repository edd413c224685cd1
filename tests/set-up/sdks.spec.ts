/** The SDKs are those of the document, and the TypeScript SDK behaves as the table of all SDKs says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerTo } from '../../sdks/behaviour/run-case.js';
import { differences, requestOf } from '../../tools/sdks/compare.mjs';
import { sdkFiles } from '../../tools/sdks/files.js';
import { type ScriptedServer, startScriptedServer } from '../../tools/sdks/scripted-server.mjs';
import { withFollowing } from '../../tools/sdks/surface.js';

const root = join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const { version } = JSON.parse(textOf('package.json')) as { version: string };

it.each(Object.entries(sdkFiles()))('%s is what `npm run docs` writes', (file, text) => {
  expect(textOf(file)).toBe(text);
});

it('a call has the name that follows from those of its resource', () => {
  const surface = { senderIds: { request: 'requestSenderId' } };
  const ids = ['requestSenderId', 'getSenderId', 'listSenderIds', 'getDomain'];
  expect(withFollowing(surface, ids)).toEqual({
    senderIds: { request: 'requestSenderId', get: 'getSenderId', list: 'listSenderIds' },
  });
});

it('the npm package of the SDK has the version of the product, and programs that know no `exports` find it', () => {
  const { exports, ...manifest } = JSON.parse(textOf('sdks/typescript/package.json')) as Record<
    string,
    Record<string, Record<string, string>>
  >;
  const { types, default: main } = exports!['.']!;
  expect(manifest).toMatchObject({ version, main, types });
});

it('the TypeScript SDK imports nothing, so that it runs on Workers too', () => {
  const folder = join(root, 'sdks/typescript/src');
  const imports = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/from '([^']+)'/g)].map(
      ([, from]) => from,
    ),
  );
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter((from) => !from?.startsWith('./'))).toEqual([]);
});

interface Case {
  name: string;
  product?: string;
  /** The SDKs that it is for, where it is not for all. */
  only?: string[];
  answers?: unknown[];
  client?: { slash?: boolean; basePath?: string };
  expect: Record<string, unknown>;
}

const { cases } = JSON.parse(textOf('sdks/behaviour.json')) as { cases: Case[] };
const key = `svc_test_${'a'.repeat(32)}`;

describe('the TypeScript SDK', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await startScriptedServer();
  });
  afterAll(() => server.close());

  const scripted = cases.filter(
    ({ product, only }) => product === undefined && (only?.includes('typescript') ?? true),
  );
  it.each(scripted.map((one) => [one.name, one] as const))('%s', async (_, one) => {
    server.script(one.answers ?? []);
    const { slash, basePath = '', ...client } = one.client ?? {};
    const baseUrl = server.url + basePath + (slash ? '/' : '');
    const given = await answerTo(requestOf({ ...one }, { apiKey: key, baseUrl, ...client }));
    const userAgent = `watchword-typescript/${version}`;
    expect(differences(one.expect, given, server.requests, { key, userAgent })).toEqual([]);
  });
});
