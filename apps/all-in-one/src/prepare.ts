/** A step of the build: the cluster that a first start copies. `tools/set-up.mjs` runs it. */
import { prepareCluster } from '@watchword/host';

try {
  await prepareCluster(async () => (await import('./services.js')).installation.definitions);
} catch (error) {
  const [line] = (error as Error).message.split('\n');
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
