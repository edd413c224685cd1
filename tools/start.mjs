/** `npm start`: sets this clone up, then runs the script that the build made of the program. */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { runBundled } from './bundled.mjs';
import { failWith, nodeOf, root, setUp } from './set-up.mjs';

try {
  await setUp({ development: false });
  const node = nodeOf();
  if (realpathSync(node) === realpathSync(process.execPath)) runBundled(root);
  else handOver(node);
} catch (error) {
  failWith(error);
}

/** The first start begins on the system's Node, before the packaged one is installed. */
function handOver(node) {
  const child = spawn(node, [...process.execArgv, import.meta.filename], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
}
