#!/bin/sh
# swagger-typescript-api 13.13.0: the client has no argument for a header parameter, also for a required one
#
# One would guess: each parameter of an operation is an argument of its method, or of an object of parameters, and a required
#   one must be given (OpenAPI 3.1, 4.8.12). So it is in the client of oazapfts, made from the same document.
# What happens: parameters in the query and the path have types and arguments; those in headers vanish, with no warning, from
#   the plain client and from those of `--axios` and `--extract-request-params`. The method compiles and sends without.
#   A header goes only into the last argument, by hand: `{ headers: { 'Idempotency-Key': key } }`.
# Why it matters here: the client cannot be made to retry safely by its types: nothing in it shows that a send takes an
#   `Idempotency-Key` (docs/guides/generate-clients.md).
# Seen: swagger-typescript-api 13.13.0, oazapfts 7.5.0, Node 24, 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . swagger-typescript-api@13.13.0 oazapfts@7.5.0 >/dev/null
cat >shop.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "Shop", "version": "1" },
  "paths": {
    "/orders/{id}": {
      "post": {
        "operationId": "pay",
        "parameters": [
          { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } },
          { "name": "dry_run", "in": "query", "schema": { "type": "boolean" } },
          { "name": "Idempotency-Key", "in": "header", "required": true, "schema": { "type": "string" } }
        ],
        "responses": { "204": { "description": "Paid" } }
      }
    }
  }
}
JSON
cat >look.cjs <<'JS'
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');

const run = (name, ...given) => execFileSync(`node_modules/.bin/${name}`, given, { stdio: 'pipe' });
const parameters = { path: /\bid: string/, query: /\bdry_?[rR]un\??: boolean/, header: /idempotency-?key["']?\??: string/i };
function look(name, file) {
  const client = readFileSync(file, 'utf8');
  const found = Object.keys(parameters).filter((each) => parameters[each].test(client));
  return `${name}: arguments for ${found.join(', ')}`;
}

const seen = [[], ['--axios'], ['--extract-request-params']].map((options) => {
  run('swagger-typescript-api', 'generate', '-p', 'shop.json', '-o', '.', '-n', 'client.ts', ...options);
  return look(['swagger-typescript-api', ...options].join(' '), 'client.ts');
});
run('oazapfts', 'shop.json', 'oazapfts.ts');
seen.push(look('oazapfts', 'oazapfts.ts'));
console.log('swagger-typescript-api 13.13.0, oazapfts 7.5.0');
console.log(seen.join('\n'));
const expected = [
  'swagger-typescript-api: arguments for path, query',
  'swagger-typescript-api --axios: arguments for path, query',
  'swagger-typescript-api --extract-request-params: arguments for path, query',
  'oazapfts: arguments for path, query, header',
];
if (seen.join() !== expected.join()) {
  console.log(`This has changed. It was:\n${expected.join('\n')}`);
  process.exitCode = 1;
}
JS
node look.cjs
