#!/bin/sh
# @hey-api/openapi-ts 0.99.0: with the plugin for dates, each `int64` is a bigint, and goes out as a JSON string
#
# One would guess: the plugin `@hey-api/transformers`, which makes a `Date` of each `date-time`, leaves integers alone, or
#   writes a bigint as the JSON number that the document asks for.
# What happens: the types of requests and answers say `bigint` for `format: int64`. The body serializer of the client calls
#   `toString()` on it, so the generated call, with a value of the generated type, sends {"credits":"42"}. Without the
#   plugin the type is `number` and the body is {"credits":42}.
# Why it matters here: counts of credits are int64, as Java needs. A strict API refuses the string, so a client that only
#   wanted dates fails at its first top-up. docs/guides/generate-clients.md names the option `bigInt: false`.
# Seen: @hey-api/openapi-ts 0.99.0, TypeScript 5.9.3, Node 24, 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . @hey-api/openapi-ts@0.99.0 typescript@5.9.3 >/dev/null
cat >openapi.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "Credits", "version": "1" },
  "servers": [{ "url": "http://credits.example" }],
  "paths": {
    "/top-ups": {
      "post": {
        "operationId": "topUp",
        "requestBody": {
          "required": true,
          "content": { "application/json": { "schema": { "$ref": "#/components/schemas/TopUp" } } }
        },
        "responses": {
          "200": {
            "description": "Done.",
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/TopUp" } } }
          }
        }
      }
    }
  },
  "components": {
    "schemas": {
      "TopUp": {
        "type": "object",
        "required": ["credits"],
        "properties": {
          "credits": { "type": "integer", "format": "int64" },
          "at": { "type": "string", "format": "date-time" }
        }
      }
    }
  }
}
JSON
cat >look.mjs <<'JS'
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('node_modules/@hey-api/openapi-ts/package.json', 'utf8'));
const transformers = { name: '@hey-api/transformers', dates: true };
const sdk = { name: '@hey-api/sdk', transformer: true };
const FORMS = {
  'without the plugin': ['@hey-api/client-fetch', '@hey-api/sdk'],
  'with the plugin': ['@hey-api/client-fetch', transformers, sdk],
  'with bigInt: false': ['@hey-api/client-fetch', { ...transformers, bigInt: false }, sdk],
};

async function seen(plugins, at) {
  const config = { input: './openapi.json', output: `./${at}`, plugins };
  writeFileSync('openapi-ts.config.mjs', `export default ${JSON.stringify(config)};`);
  execFileSync('node_modules/.bin/openapi-ts', ['--file', 'openapi-ts.config.mjs'], { stdio: 'pipe' });
  const [, type] = /credits: (\w+)/.exec(readFileSync(`${at}/types.gen.ts`, 'utf8'));
  const options = ['--module', 'commonjs', '--target', 'es2022', '--skipLibCheck'];
  execFileSync('node_modules/.bin/tsc', [...options, '--outDir', `${at}/js`, `${at}/index.ts`]);
  const { topUp } = (await import(`./${at}/js/index.js`)).default;
  let body;
  const fetch = async (request) => {
    body = await request.text();
    return Response.json({ credits: 42 });
  };
  await topUp({ body: { credits: type === 'bigint' ? 42n : 42 }, fetch });
  return `type ${type}, body ${body}`;
}

console.log(`@hey-api/openapi-ts ${version}`);
const lines = [];
for (const [index, [form, plugins]] of Object.entries(FORMS).entries()) {
  lines.push(`${form}: ${await seen(plugins, `client-${index}`)}`);
}
console.log(lines.join('\n'));
const expected = [
  'without the plugin: type number, body {"credits":42}',
  'with the plugin: type bigint, body {"credits":"42"}',
  'with bigInt: false: type number, body {"credits":42}',
];
if (lines.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.mjs
