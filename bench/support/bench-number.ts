import { givenNumber } from '../../tests/support/given-number.ts';

/** Returns a bench's number, which an environment variable can replace. */
export function benchNumber(variable: string, usual: number): number {
  return givenNumber(variable, process.env[variable] ?? String(usual), 1);
}
