/**
 * Renews the identity of a cluster as the server's account. Root starts it, because the account may
 * be unable to reach Node and this file. It gives its rights up before it opens the cluster.
 */
import { renewAsWeAre } from './cluster-identity.js';

const [cluster = '', uid, gid] = process.argv.slice(2);
try {
  process.setgroups!([]);
  process.setgid!(Number(gid));
  process.setuid!(Number(uid));
  await renewAsWeAre(cluster);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
