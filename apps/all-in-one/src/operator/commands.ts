import { callbackUrlsCommand } from './commands/callback-urls.command.js';
import { migrate } from './commands/migrate.command.js';
import { rotateKeys } from './commands/rotate-keys.command.js';
import { trainAntiSpam } from './commands/train-anti-spam.command.js';
import type { Command } from './operator-command.js';

/** Every subcommand of `npm run operator`. */
export const commands: readonly Command[] = [
  migrate,
  callbackUrlsCommand,
  rotateKeys,
  trainAntiSpam,
];
