/** Issue 4, section 3: the services apart, over TCP, Kafka and Redis, against the same in one process. */
import { acceptPart } from './cluster/accept.part.ts';
import { drainPart } from './cluster/drain.part.ts';
import { Environment } from './support/environment.ts';
import { generator } from './support/load.ts';
import { machine } from './support/processor-time.ts';

const parts: Record<string, (environment: Environment) => Promise<void>> = {
  accept: acceptPart,
  drain: drainPart,
};

/** Runs all parts, or those that the command line names. */
export async function clusterBench(): Promise<void> {
  const wanted = process.argv.slice(3);
  const unknown = wanted.filter((name) => !parts[name]);
  if (unknown.length > 0)
    throw new Error(`no part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}`);
  console.log(`${machine()}; ${generator}`);
  for (const name of wanted.length > 0 ? wanted : Object.keys(parts)) {
    const environment = await Environment.open();
    try {
      await parts[name]!(environment);
    } finally {
      await environment.close();
    }
  }
}
