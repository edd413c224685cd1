import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of a line of .dockerignore, whose paths also mean all that lies below them. */
function expressionOf(line) {
  const body = line
    .replaceAll(/[.+^${}()|[\]]/g, '\\$&')
    .replaceAll('**/', '\u0000')
    .replaceAll('**', '.*')
    .replaceAll(/(?<!\.)\*/g, '[^/]*')
    .replaceAll('\u0000', '(?:.*/)?');
  return new RegExp(`^${body}(?:/.*)?$`);
}

/** The files of the repository that a build would see: the last line that fits a file decides. */
export function contextFiles(root) {
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({
      isKept: line.startsWith('!'),
      expression: expressionOf(line.replace(/^!/, '')),
    }));
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n');
  const isKept = (file) =>
    rules.findLast(({ expression }) => expression.test(file))?.isKept ?? true;
  return files.filter((file) => file !== '' && isKept(file));
}
