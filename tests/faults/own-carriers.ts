import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CarrierSim, startCarrierSim } from '@watchword/carrier-sim';
import { callbackPathOf } from '@watchword/carriers/registry';
import { HttpClient } from '../support/http.ts';

const CALLBACK_SECRET = 'callback-secret-of-the-faults';
const TWILIO = { accountSid: `AC${'0'.repeat(31)}1`, authToken: 'token-of-the-faults' };
const AFRICAS_TALKING = { username: 'watchword', apiKey: 'key-of-the-faults' };

/**
 * The SMS carriers of a run, which outlive the product: like real ones, they remember messages and
 * send outstanding receipts after it was killed. Emails still go to the product's own simulator.
 */
export class OwnCarriers {
  readonly http: HttpClient;
  private readonly simulator: CarrierSim;
  private readonly file: string;

  private constructor(simulator: CarrierSim, file: string) {
    this.simulator = simulator;
    this.file = file;
    this.http = new HttpClient(simulator.url);
  }

  /** `port` is that of the product, which receives the callbacks. */
  static async start(directory: string, port: number): Promise<OwnCarriers> {
    const path = callbackPathOf(CALLBACK_SECRET, {
      carrier: 'africas_talking',
      id: 'africas_talking',
    });
    const callbackUrl = `http://127.0.0.1:${port}${path}`;
    const simulator = await startCarrierSim({
      accounts: { twilio: TWILIO, africas_talking: { ...AFRICAS_TALKING, callbackUrl } },
    });
    const file = join(directory, 'carriers.json');
    writeFileSync(file, JSON.stringify(rowsAt(simulator.url)));
    return new OwnCarriers(simulator, file);
  }

  /** Settings for the product. */
  get environment(): Record<string, string> {
    return {
      CARRIERS_FILE: this.file,
      CALLBACK_SECRET,
      FAULTS_TWILIO_TOKEN: TWILIO.authToken,
      FAULTS_AFRICAS_TALKING_KEY: AFRICAS_TALKING.apiKey,
    };
  }

  async stop(): Promise<void> {
    await this.http.close();
    await this.simulator.close();
  }
}

function rowsAt(url: string): object[] {
  return [
    {
      ...{ id: 'twilio', carrier: 'twilio', simulated: true },
      settings: { account_sid: TWILIO.accountSid, base_url: `${url}/twilio` },
      secrets: { auth_token: { env: 'FAULTS_TWILIO_TOKEN' } },
    },
    {
      ...{ id: 'africas_talking', carrier: 'africas_talking', simulated: true },
      settings: { username: AFRICAS_TALKING.username, base_url: `${url}/africas-talking` },
      secrets: { api_key: { env: 'FAULTS_AFRICAS_TALKING_KEY' } },
    },
    { id: 'smtp', carrier: 'smtp', simulated: true },
  ];
}
