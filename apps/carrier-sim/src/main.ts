import { DIALECTS } from './dialects/dialect.registry.js';
import type { Account, Accounts } from './dialects/dialect.registry.js';
import { isCallbackUrl } from './receipts/callback.adapter.js';
import { startCarrierSim } from './start-carrier-sim.js';
import type { CarrierSimOptions } from './start-carrier-sim.js';

const DEFAULT_PORT = 3100;

/** Reports every problem at once. */
function optionsFrom(environment: NodeJS.ProcessEnv): CarrierSimOptions {
  const problems: string[] = [];
  const text = (name: string): string => {
    const value = environment[name];
    if (!value) problems.push(`${name} is required`);
    return value ?? '';
  };
  const number = (name: string, otherwise: number, max: number): number => {
    const value = environment[name] || String(otherwise);
    if (!/^\d+$/.test(value) || Number(value) > max) {
      problems.push(`${name} must be a whole number from 0 to ${max}`);
    }
    return Number(value);
  };
  const accountsOf = ({ provider, needs, takes }: (typeof DIALECTS)[number]) => {
    const nameOf = (key: string) =>
      `CARRIER_SIM_${provider}_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();
    if (!needs.some((key) => environment[nameOf(key)])) return [];
    const needed = needs.map((key) => [key, text(nameOf(key))]);
    const taken = takes.map((key) => [key, environment[nameOf(key)] || undefined]);
    const account = Object.fromEntries([...needed, ...taken]) as Account;
    const { callbackUrl } = account;
    if (callbackUrl !== undefined && !isCallbackUrl(callbackUrl)) {
      problems.push(`${nameOf('callbackUrl')} must be an http or https URL`);
    }
    return [[provider, account]];
  };
  const options: CarrierSimOptions = {
    host: environment.CARRIER_SIM_HOST || undefined,
    port: number('CARRIER_SIM_PORT', DEFAULT_PORT, 65_535),
    defaultReceiptDelayMs: number('CARRIER_SIM_RECEIPT_DELAY_MS', 50, 86_400_000),
    smtpPort: number('CARRIER_SIM_SMTP_PORT', 0, 65_535),
    smppPort: number('CARRIER_SIM_SMPP_PORT', 0, 65_535),
    dnsPort: number('CARRIER_SIM_DNS_PORT', 0, 65_535),
    bounceExchangers: exchangersOf(environment.CARRIER_SIM_BOUNCES_TO ?? ''),
    accounts: Object.fromEntries(DIALECTS.flatMap(accountsOf)) as Accounts,
  };
  if (Object.keys(options.accounts).length === 0) {
    const tokens = DIALECTS.map(({ provider }) => provider).join(', ');
    problems.push(`CARRIER_SIM_* must name an account of at least one carrier: ${tokens}`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return options;
}

/** `host:port`, separated by commas. */
function exchangersOf(text: string): { host: string; port: number }[] {
  const places = text.split(',').filter((place) => place.trim() !== '');
  return places.map((place) => {
    const { hostname: host, port } = new URL(`smtp://${place.trim()}`);
    return { host, port: Number(port || 25) };
  });
}

try {
  const simulator = await startCarrierSim(optionsFrom(process.env));
  process.stdout.write(`Carrier simulator at ${simulator.url}\n`);
  const { smpp } = simulator;
  if (smpp) process.stdout.write(`SMSC of SMPP at ${smpp.host}:${smpp.port}\n`);
  const stop = (): void => void simulator.close();
  process.once('SIGINT', stop).once('SIGTERM', stop);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
