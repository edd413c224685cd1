import type { SendMessage } from '@watchword/contracts';

/** So that the credits of a command can be changed without reading the rest of it. */
export const COMMAND_BEGINNING = '{"credits":';

export function commandText({ credits, ...rest }: SendMessage): string {
  return JSON.stringify({ credits, ...rest });
}
