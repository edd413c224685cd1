import type { Config } from '@watchword/config';

interface BannerFacts {
  baseUrl: string;
  simulatorUrl: string;
  statusUrl: string;
  credentialsFile: string;
  testKey: string;
  /** Logs the owner of the demo workspace in, once. */
  logInToken: string;
}

/** Shows the demo workspace's test key and no other secret. Each line can be pasted as it is. */
export function banner(facts: BannerFacts): string {
  const { baseUrl, simulatorUrl, statusUrl, credentialsFile, testKey, logInToken } = facts;
  const credentials = `require(${JSON.stringify(credentialsFile)})`;
  return [
    '',
    `  Watchword               ${baseUrl}`,
    `  Log in, once            ${baseUrl}/app#/link/${logInToken}`,
    `  API reference           ${baseUrl}/docs`,
    `  Handset                 ${simulatorUrl}`,
    `  Mailbox                 ${simulatorUrl}/emails`,
    `  Status and metrics      ${statusUrl}/metrics`,
    `  Keys and passwords      ${credentialsFile}`,
    '',
    '  Send a one-time password with the test key, which charges nothing:',
    '',
    ...send(baseUrl, testKey, '+2348031234569'),
    '',
    '  Send one through the simulated carriers with the live key, and look at the handset:',
    '',
    ...send(baseUrl, `$(node -p ${shellQuoted(`${credentials}.live_key`)})`, '+2348031234568'),
    `  curl -s ${simulatorUrl}/_simulator/messages`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}

/** Names what listens. PORT is the gateway's, so without one nothing listens there. */
export function bannerWithoutGateway(
  config: Pick<Config, 'services' | 'internalHost' | 'metricsPort' | 'rpcPort'>,
): string {
  const { services, internalHost, metricsPort, rpcPort } = config;
  const running = `Watchword (${services.join(', ')}) is running without a gateway: no public API`;
  const status = metricsPort > 0 && `status and metrics at http://${internalHost}:${metricsPort}`;
  const calls = rpcPort > 0 && `calls of other services at ${internalHost}:${rpcPort}`;
  return [running, ...[status, calls].filter((part) => part !== false)].join('; ');
}

function send(baseUrl: string, key: string, number: string): string[] {
  return [
    `  curl -s ${baseUrl}/v1/otp/send -H "Authorization: Bearer ${key}" \\`,
    `    -H 'Content-Type: application/json' -d '{"phone_number":"${number}"}'`,
  ];
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
