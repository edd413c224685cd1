import { settings } from './config.schema.js';
import type { Setting } from './setting.js';

/** `.env.example`: every setting, commented out, with its default. */
export function envExample(): string {
  const blocks = Object.values<Setting<unknown>>(settings).map((setting) =>
    [`# ${setting.sentence}`, `# Default: ${describeDefault(setting)}`, assignment(setting)].join(
      '\n',
    ),
  );
  const header = [
    '# Every setting of Watchword. Copy this to .env, which is read at start, or set the environment.',
    '# Generated from libs/config; change the schema, not this file.',
  ];
  return `${[header.join('\n'), ...blocks].join('\n\n')}\n`;
}

/** `docs/reference/configuration.md`. */
export function configurationReference(): string {
  const rows = Object.values<Setting<unknown>>(settings).map((setting) => {
    const type = setting.unit ? `${setting.type} ${setting.unit}` : setting.type;
    const readers = setting.services.length > 0 ? setting.services.join(', ') : 'all';
    const name = `\`${setting.variable}\`${setting.secret ? ' (secret)' : ''}`;
    return `| ${name} | ${type} | ${describeDefault(setting)} | ${readers} | ${setting.sentence} |`;
  });
  return `${[
    '# Configuration',
    '',
    'Generated from `libs/config`; change the schema, not this page.',
    'Settings are environment variables; a file `.env` in the working directory is read, too, and the',
    'environment wins. All of them are checked at start, and every problem is listed at once. An empty',
    'variable counts as unset.',
    '',
    '| Variable | Type | Default | Read by | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')}\n`;
}

function assignment(setting: Setting<unknown>): string {
  const said = setting.fallbackText === undefined && setting.fallback !== undefined;
  return `#${setting.variable}=${said ? String(setting.fallback) : ''}`;
}

function describeDefault(setting: Setting<unknown>): string {
  if (setting.fallbackText !== undefined) return setting.fallbackText;
  return setting.fallback === '' || setting.fallback === undefined
    ? 'unset'
    : String(setting.fallback);
}
