/** A step of the build: the cluster that a first start copies. `tools/set-up.mjs` runs it. */
import { prepareCluster } from '@watchword/host';

await prepareCluster(async () => (await import('./services.js')).installation.definitions);
