import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** Creates the accounts in a process of their own. Prints the files that it has loaded of `smpp`. */
const PROGRAM = `
import Module from 'node:module';
import { accountFrom, createProviders } from '@watchword/carriers';
const settings = { systemId: 'a', password: 'b', host: '127.0.0.1', accountSid: 'AC', authToken: 't' };
const account = accountFrom(process.argv[1], settings);
await createProviders([account], { callbackBaseUrl: '', callbackSecret: '' });
const loaded = Object.keys(Module._cache).filter((file) => file.includes('node_modules/smpp/'));
console.log(loaded.length);
`;

it.each([
  ['smpp', true],
  ['twilio', false],
])('a process with an account of %s loads the library: %s', (carrier, isLoaded) => {
  const args = ['--input-type=module', '--eval', PROGRAM, carrier];
  const output = execFileSync(process.execPath, args, { cwd: join(import.meta.dirname, '..') });
  expect(Number(output) > 0).toBe(isLoaded);
});
