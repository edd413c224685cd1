/** The table of the README has every command, with arguments that exist. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { readArguments } from './arguments.js';
import { COMMANDS } from './run.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const lines = [...readme.matchAll(/^\| `npx watchword ([^`]+)` \| \S.*\. \|$/gm)].map(
  ([, line = '']) => line.replace(/ >> .*/, ''),
);
const wordsOf = (line: string) =>
  line.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));

it.each(lines)('watchword %s can be typed', (line) => {
  expect(readArguments(wordsOf(line), COMMANDS).command).toBeDefined();
});

it('the table has every command', () => {
  const named = lines.map((line) => readArguments(wordsOf(line), COMMANDS).command?.name);
  expect([...new Set(named)].toSorted()).toEqual(COMMANDS.map(({ name }) => name).toSorted());
});
