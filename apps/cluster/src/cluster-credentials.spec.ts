import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { type ClusterFacts, CredentialsFile } from './cluster-credentials.js';
import type { ReplicaPlan } from './replica-plan.js';

const plan = { service: 'billing', replica: 1, port: 1 } as ReplicaPlan;

function factsWith(pid: number | undefined): ClusterFacts {
  return {
    demo: {} as ClusterFacts['demo'],
    config: loadConfig({}).config,
    baseUrl: 'http://127.0.0.1:1',
    simulatorUrl: 'http://127.0.0.1:2',
    servers: { databaseUrl: '', kafkaBrokers: [], kafkaHasUsers: false, redisUrl: '' },
    kafkaPasswords: {},
    replicas: [{ plan, pid, healthUrl: '', metricsUrl: '' }],
  };
}

it('says the last of what changes at once, and null of what has died', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-credentials-'));
  const pidInFile = async () => {
    const text = await readFile(join(directory, 'dev-credentials.json'), 'utf8');
    return (JSON.parse(text) as { services: { pid: number | null }[] }).services[0]?.pid;
  };
  try {
    const file = new CredentialsFile(directory);
    await Promise.all([11, undefined, 12, undefined].map((pid) => file.write(factsWith(pid))));
    expect(await pidInFile()).toBeNull();
    await Promise.all([undefined, 13].map((pid) => file.write(factsWith(pid))));
    expect(await pidInFile()).toBe(13);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
