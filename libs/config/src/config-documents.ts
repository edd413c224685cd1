import { settings } from './config.js';
import type { Setting } from './setting.js';

/** Returns `.env.example`: every setting, commented out, with its default. */
export function envExample(): string {
  const blocks = settings.map((setting) =>
    [`# ${setting.sentence}`, `# Default: ${describeDefault(setting)}`, assignment(setting)].join(
      '\n',
    ),
  );
  const header = [
    '# Every setting of Watchword. Copy this to .env, which is read at start, or set the environment.',
    '# Generated from libs/config/src/settings; change the classes, not this file.',
  ];
  return `${[header.join('\n'), ...blocks].join('\n\n')}\n`;
}

/** Returns `docs/reference/configuration.md`. */
export function configurationReference(): string {
  const rows = settings.map((setting) => {
    const type = setting.unit ? `${setting.type} ${setting.unit}` : setting.type;
    const readers = setting.readBy.length > 0 ? setting.readBy.join(', ') : 'all';
    const name = `\`${setting.variable}\`${setting.secret ? ' (secret)' : ''}`;
    return `| ${name} | ${type} | ${describeDefault(setting)} | ${readers} | ${setting.sentence} |`;
  });
  return `${[
    '# Configuration',
    '',
    'Generated from `libs/config/src/settings`; change the classes, not this page.',
    'Settings are environment variables; a file `.env` in the working directory is read, too, and the',
    'environment wins. All of them are checked at start, and every problem is listed at once. An empty',
    'variable counts as unset.',
    '',
    '| Variable | Type | Default | Read by | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')}\n`;
}

function assignment({ variable, fallbackText, fallback }: Setting): string {
  return `#${variable}=${fallbackText === undefined ? String(fallback ?? '') : ''}`;
}

function describeDefault({ fallbackText, fallback }: Setting): string {
  return fallbackText ?? (String(fallback ?? '') || 'unset');
}
