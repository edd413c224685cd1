import { join } from 'node:path';
import { CREDENTIALS_FILE_NAME } from '@watchword/host';
import type { Replica } from './replica.js';
import type { Servers } from './servers.js';
import type { ServerName } from './unreached.js';

interface BannerFacts {
  baseUrl: string;
  simulatorUrl: string;
  directory: string;
  servers: Servers;
  replicas: readonly Replica[];
  testKey: string;
  /** Servers that the gateways cannot reach. Nothing waits for them, so the banner names them. */
  unreached: readonly ServerName[];
}

const WITHOUT: Record<ServerName, string> = {
  Kafka: 'Messages are accepted and wait; none reaches a carrier until it is there.',
  Redis: 'Each gateway counts limits by itself until it is there.',
};

/** Shows the demo workspace's test key and no other secret. */
export function banner(facts: BannerFacts): string {
  const { baseUrl, simulatorUrl, directory, servers, replicas, testKey, unreached } = facts;
  const database = new URL(servers.databaseUrl);
  return [
    '',
    `  Watchword is running at ${baseUrl}, two of each service behind it`,
    `  Carrier simulator       ${simulatorUrl}`,
    `  Keys and passwords      ${join(directory, CREDENTIALS_FILE_NAME)}`,
    `  Logs                    ${join(directory, 'services', '<service>-<replica>', 'server.log')}`,
    `  PostgreSQL              ${database.host}`,
    `  Kafka                   ${servers.kafkaBrokers.join(', ')}`,
    `  Redis                   ${new URL(servers.redisUrl).host}`,
    '',
    ...unreached.flatMap((name) => [
      `  ${name} is not reached, or refuses us. ${WITHOUT[name]}`,
      '',
    ]),
    ...replicas.map(
      ({ plan: { service, replica }, pid, readyUrl, metricsUrl }) =>
        `  ${`${service} ${replica}`.padEnd(12)} pid ${String(pid).padEnd(8)} ${readyUrl}  ${metricsUrl}`,
    ),
    '',
    '  Send a first one-time password (test key, nothing is charged):',
    '',
    `  curl -s ${baseUrl}/v1/otp/send -H 'Authorization: Bearer ${testKey}' \\`,
    `    -H 'Content-Type: application/json' -d '{"phone_number":"+2348031234567"}'`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}
