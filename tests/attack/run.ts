/** `node tests/attack/run.ts <name>`: attacks of a hostile client, measured on their own system. */
import { flood } from './flood.ts';
import { timing } from './timing.ts';

const attacks: Record<string, () => Promise<void>> = { flood, timing };

const attack = attacks[process.argv[2] ?? ''];
if (!attack) {
  console.error(`Usage: node tests/attack/run.ts ${Object.keys(attacks).join(' | ')}`);
  process.exit(1);
}
await attack();
