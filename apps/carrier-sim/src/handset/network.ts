const NETWORKS: ReadonlyArray<readonly [prefix: RegExp, mccMnc: string]> = [
  [/^\+234(70[1248]|80[2389]|81[278]|90[1249]|91[25])/, '62120'],
  [/^\+234/, '62130'],
  [/^\+254(73|78|10)/, '63903'],
  [/^\+254/, '63902'],
  [/^\+233/, '62001'],
  [/^\+27/, '65501'],
  [/^\+44/, '23410'],
];

/** Mobile country and network codes of a number, approximately. Undefined where none is known. */
export function mccMncOf(to: string): string | undefined {
  return NETWORKS.find(([prefix]) => prefix.test(to))?.[1];
}
