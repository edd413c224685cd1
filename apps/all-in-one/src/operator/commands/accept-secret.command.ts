import { forgetSecret } from '@watchword/host';
import { createClient } from '@watchword/postgres';
import type { OperatorCommand } from '../operator-command.js';

const NAMES = [
  'PEPPER',
  'RPC_SECRET',
  'BILLING_RPC_SECRET',
  'DISPATCH_RPC_SECRET',
  'WEBHOOKS_RPC_SECRET',
];

export const acceptSecret: OperatorCommand = {
  name: 'accept-secret',
  summary: `Let the next start take another PEPPER or *RPC_SECRET than this database was used with.`,
  parameters: [{ name: 'secret', values: NAMES }],
  needs: () => 'database',
  services: ['billing'],
  async run({ args: [name = ''], definitions, adminUrl, say }) {
    const client = createClient({ url: await adminUrl(), applicationName: 'watchword-accept' });
    await client.connect();
    try {
      for (const service of definitions) await forgetSecret(client, service.name, name);
    } finally {
      await client.end();
    }
    say(`The next start takes the ${name} that it is given.`);
  },
};
