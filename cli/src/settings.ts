/** The file that `watchword login` writes. */
import type { Settings } from './command.js';
import type { Terminal } from './terminal.js';

export function settingsPath({ environment }: Terminal): string {
  const folder = environment['XDG_CONFIG_HOME'] || `${environment['HOME'] ?? '.'}/.config`;
  return `${folder}/watchword/config.json`;
}

export function readSettings(terminal: Terminal): Settings {
  const path = settingsPath(terminal);
  const content = terminal.readFile(path);
  if (content === undefined) return {};
  try {
    return JSON.parse(content) as Settings;
  } catch {
    terminal.note(`${path} is no JSON and is ignored. Run: watchword login`);
    return {};
  }
}

export function writeSettings(terminal: Terminal, settings: Settings): string {
  const path = settingsPath(terminal);
  terminal.writeFile(path, `${JSON.stringify(settings, null, 2)}\n`);
  return path;
}
