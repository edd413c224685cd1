/**
 * `node tools/print-conformance.ts <shape> <results.json>...`: one line that says how many rules of
 * the specification the tests of these runs have proven. Says nothing when none ran.
 */
import { readFileSync } from 'node:fs';
import { conformanceLine, type JestResults } from '../tests/conformance/conformance-tally.ts';
import { ruleSections } from '../tests/conformance/rules/all-rules.ts';

const [shape = '', ...files] = process.argv.slice(2);
const runs = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as JestResults);
const rules = ruleSections.flatMap((section) => section.rules);
const line = conformanceLine(shape, rules, runs);
if (line !== undefined) console.log(line);
