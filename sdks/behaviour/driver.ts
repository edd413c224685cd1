/** Runs the cases of `behaviour.json` with the TypeScript SDK: one JSON text a line, in and out. */
import { createInterface } from 'node:readline';
import { answerTo, type Request } from './run-case.js';

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await answerTo(JSON.parse(line) as Request);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
