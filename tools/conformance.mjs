import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOf, root } from './set-up.mjs';

/** The rules are TypeScript, which the Node that runs us may not read: the packaged one does. */
export function printConformance(shape, resultsFiles) {
  const files = resultsFiles.filter((file) => existsSync(file));
  const program = join(root, 'tools', 'print-conformance.ts');
  spawnSync(nodeOf(), [program, shape, ...files], { cwd: root, stdio: 'inherit' });
}
