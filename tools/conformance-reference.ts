/** `npm run conformance` prints the tests whose titles begin with a section of the specification. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Test {
  file: string;
  sections: string[];
  text: string;
}

const ONE_SECTION = String.raw`(?:(?:decisions|domain) \d+|[1-9])(?:\.\d+)?`;
const PREFIX = new RegExp(
  String.raw`^\[?(${ONE_SECTION}\]?(?:(?:,| and) \[?(?:(?:decisions|domain) )?\d+(?:\.\d+)?\]?)*)( [^:]{1,60})?: (.+)$`,
);
const SOURCES = ['apps/*/{src,test}/**/*.spec.ts', 'libs/**/*.spec.ts', 'tests/**/*.spec.ts'];

export function conformanceReference(root: string): string {
  const files = globSync(SOURCES, { cwd: root, exclude: (name) => name === 'node_modules' });
  const tests = files.toSorted().flatMap((file) => testsOf(root, file));
  const sections = [...new Set(tests.flatMap((test) => test.sections))].toSorted(bySection);
  return [
    '# Conformance',
    '',
    `${tests.length} tests whose titles name a section of the specification, of the decisions that complete it, or of the rules of the`,
    'field (“domain”). `tests/api` speaks to a running system by URL only, on one process (`npm test`) and on a cluster',
    '(`npm run test:nightly -- suite`).',
    ...sections.flatMap((section) => [
      '',
      `## ${section[0]!.toUpperCase()}${section.slice(1)}`,
      '',
      ...linesOf(tests.filter((test) => test.sections.includes(section))),
    ]),
    '',
  ].join('\n');
}

function testsOf(root: string, file: string): Test[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/(?<!describe)\(\s*(['"`])(.+?)\1,/g)].flatMap(([, , title = '']) => {
    const [, sections, subject = '', text = ''] = PREFIX.exec(title) ?? [];
    if (sections === undefined) return [];
    const about = subject === '' ? '' : `${subject.trim()}: `;
    return [{ file, sections: sectionsIn(sections), text: `${about}${text}` }];
  });
}

/** `decisions 4, 20` names two sections of the decisions, `1.10` one of the interface. */
function sectionsIn(prefix: string): string[] {
  let book = 'interface';
  return prefix.split(/, | and /).map((part) => {
    const [, name, number = ''] = /^\[?(?:(decisions|domain) )?([\d.]+)/.exec(part) ?? [];
    book = name ?? book;
    return `${book} ${number}`;
  });
}

function bySection(one: string, other: string): number {
  const [[book, numbers], [otherBook, otherNumbers]] = [parts(one), parts(other)];
  const order = ['interface', 'decisions', 'domain'];
  return (
    order.indexOf(book) - order.indexOf(otherBook) ||
    numbers[0]! - otherNumbers[0]! ||
    (numbers[1] ?? 0) - (otherNumbers[1] ?? 0)
  );
}

function parts(section: string): [book: string, numbers: number[]] {
  const [book = '', number = ''] = section.split(' ');
  return [book, number.split('.').map(Number)];
}

/** One line for each file. */
function linesOf(tests: readonly Test[]): string[] {
  const files = Map.groupBy(tests, ({ file }) => file);
  return [...files].map(([file, own]) => {
    const titles = own.map(({ text }) =>
      text.replaceAll(/[|<*_`$]/g, (character) => `\\${character}`),
    );
    return `- ${file}: ${titles.join('; ')}`;
  });
}

if (import.meta.main) console.log(conformanceReference(dirname(import.meta.dirname)));
