import { callbackUrlsCommand } from './commands/callback-urls.command.js';
import { repairOutbox } from './commands/repair-outbox.command.js';
import type { OperatorCommand } from './operator-command.js';

/** Every subcommand of `npm run operator`. */
export const commands: readonly OperatorCommand[] = [callbackUrlsCommand, repairOutbox];
