import { isCallbackUrl } from './receipts/callback.adapter.js';
import { startCarrierSim } from './start-carrier-sim.js';
import type { CarrierSimOptions } from './start-carrier-sim.js';

const DEFAULT_PORT = 3100;

/** Every problem at once, so that nobody starts the program five times to find five of them. */
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
  const callbackUrl = environment.CARRIER_SIM_AFRICAS_TALKING_CALLBACK_URL || undefined;
  if (callbackUrl !== undefined && !isCallbackUrl(callbackUrl)) {
    problems.push('CARRIER_SIM_AFRICAS_TALKING_CALLBACK_URL must be an http or https URL');
  }
  const options: CarrierSimOptions = {
    host: environment.CARRIER_SIM_HOST || undefined,
    port: number('CARRIER_SIM_PORT', DEFAULT_PORT, 65_535),
    defaultReceiptDelayMs: number('CARRIER_SIM_RECEIPT_DELAY_MS', 50, 86_400_000),
    journalPath: environment.CARRIER_SIM_JOURNAL || undefined,
    accounts: {
      twilio: {
        accountSid: text('CARRIER_SIM_TWILIO_ACCOUNT_SID'),
        authToken: text('CARRIER_SIM_TWILIO_AUTH_TOKEN'),
      },
      africasTalking: {
        username: text('CARRIER_SIM_AFRICAS_TALKING_USERNAME'),
        apiKey: text('CARRIER_SIM_AFRICAS_TALKING_API_KEY'),
        callbackUrl,
      },
    },
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return options;
}

try {
  const simulator = await startCarrierSim(optionsFrom(process.env));
  process.stdout.write(`Carrier simulator at ${simulator.url}\n`);
  const stop = (): void => void simulator.close();
  process.once('SIGINT', stop).once('SIGTERM', stop);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
