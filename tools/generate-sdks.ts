/** `npm run docs` writes with it what the SDKs have from the OpenAPI document. A spec fails when a file is old. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sdkFiles } from './sdks/files.ts';

const root = dirname(import.meta.dirname);
for (const [name, text] of Object.entries(sdkFiles())) {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${name}`);
}
