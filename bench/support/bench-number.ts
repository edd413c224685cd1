import { givenNumber } from '../../tests/support/given-number.ts';

/** How much of something a bench does, unless the environment says otherwise. */
export function benchNumber(variable: string, usual: number): number {
  return givenNumber(variable, process.env[variable] ?? String(usual), 1);
}
