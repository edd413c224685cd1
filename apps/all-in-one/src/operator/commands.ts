import { callbackUrlsCommand } from './commands/callback-urls.command.js';
import { demo } from './commands/demo.command.js';
import { migrate } from './commands/migrate.command.js';
import { rotateKeys } from './commands/rotate-keys.command.js';
import type { OperatorCommand } from './operator-command.js';

/** Every subcommand of `npm run operator`. */
export const commands: readonly OperatorCommand[] = [
  migrate,
  callbackUrlsCommand,
  rotateKeys,
  demo,
];
