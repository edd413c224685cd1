import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram, MissingPrerequisite } from './missing-prerequisite.js';

const run = promisify(execFile);

const KAFKA_VERSION = '4.1.1';
const JAVA_VERSION_MIN = 17;
const ADVICE =
  'apt-get install -y openjdk-17-jre-headless maven, or set KAFKA_BROKERS to a Kafka of your own';

/** Kept beside the packages, so that it is deleted with them. */
const cache = fileURLToPath(
  new URL(`../../../node_modules/.cache/kafka-${KAFKA_VERSION}`, import.meta.url),
);
const pom = fileURLToPath(new URL('../kafka/pom.xml', import.meta.url));

export async function findJava(): Promise<string> {
  const java = await findProgram('java');
  if (java === undefined) throw new MissingPrerequisite(`Kafka needs Java: ${ADVICE}`);
  const { stderr } = await run(java, ['-version']);
  const version = Number(/version "(\d+)/.exec(stderr)?.[1]);
  if (version >= JAVA_VERSION_MIN) return java;
  throw new MissingPrerequisite(`Kafka needs Java ${JAVA_VERSION_MIN} or newer: ${ADVICE}`);
}

/** Returns Kafka's class path. Maven fetches its jars once, about 43 MB. */
export async function kafkaClassPath(say: (sentence: string) => void): Promise<string> {
  const jars = join(cache, 'jars');
  if ((await readdir(jars).catch(() => [])).length === 0) await fetchJars(jars, say);
  return join(jars, '*');
}

async function fetchJars(jars: string, say: (sentence: string) => void): Promise<void> {
  const maven = await findProgram('mvn');
  if (maven === undefined) throw new MissingPrerequisite(`Kafka's jars need Maven: ${ADVICE}`);
  say(`Fetching Kafka ${KAFKA_VERSION} with Maven (43 MB); this once it takes a minute`);
  const unfinished = join(cache, `unfinished-${process.pid}`);
  await mkdir(unfinished, { recursive: true });
  await copyFile(pom, join(unfinished, 'pom.xml'));
  const goal = ['dependency:copy-dependencies', '-DoutputDirectory=jars', '-DincludeScope=runtime'];
  try {
    await run(maven, ['-q', '-B', ...goal], { cwd: unfinished });
    // Another process may have finished first. Its files are the same.
    await rename(join(unfinished, 'jars'), jars).catch(async (error: unknown) => {
      if ((await readdir(jars).catch(() => [])).length === 0) throw error;
    });
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    const line = stdout.split('\n').find((text) => text.includes('ERROR')) ?? String(error);
    throw new MissingPrerequisite(`Maven could not fetch Kafka ${KAFKA_VERSION}: ${line}`);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
