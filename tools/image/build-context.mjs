import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the expression of a line of .dockerignore. Its paths include everything below. */
function expressionOf(line) {
  const body = line
    .replaceAll(/[.+^${}()|[\]]/g, '\\$&')
    .replaceAll('**/', '\u0000')
    .replaceAll('**', '.*')
    .replaceAll(/(?<!\.)\*/g, '[^/]*')
    .replaceAll('\u0000', '(?:.*/)?');
  return new RegExp(`^${body}(?:/.*)?$`);
}

/** The files that a build would see, by .dockerignore alone: the last line that fits a path decides. */
export function contextFiles(root) {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({
      isKept: line.startsWith('!'),
      path: line.replace(/^!/, ''),
      expression: expressionOf(line.replace(/^!/, '')),
    }));
  const isKept = (path) =>
    rules.findLast(({ expression }) => expression.test(path))?.isKept ?? true;
  /** A folder that is left out can hold files that a line names. */
  const isOpened = (folder) =>
    isKept(folder) || rules.some((rule) => rule.isKept && rule.path.startsWith(`${folder}/`));
  const filesIn = (folder) =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isOpened(path) ? filesIn(path) : [];
      return isKept(path) ? [path] : [];
    });
  return filesIn('');
}
