import { existsSync } from 'node:fs';
import { isUserError } from '@watchword/host';
import { runCommand } from './run-command.js';

if (existsSync('.env')) process.loadEnvFile();
try {
  await runCommand(process.argv.slice(2), process.env, (line) => console.log(line));
} catch (error) {
  console.error(isUserError(error) ? error.message : error);
  process.exitCode = 1;
}
