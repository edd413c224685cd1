import { readCredentials, UserError } from '@watchword/host';
import { createClient } from '@watchword/postgres';
import { drawHistory } from '../demo/history.js';
import { insertHistory } from '../demo/insert-history.js';
import { openShop, type Shop } from '../demo/shop.js';
import type { OperatorCommand } from '../operator-command.js';

/**
 * The past cannot be sent, so its rows are inserted, into a workspace that this command has made. Today's
 * messages go through the API and the simulated carriers.
 */
export const demo: OperatorCommand = {
  name: 'demo',
  summary: 'Fill a workspace beside a running npm start with a week of demo data.',
  needs: 'database',
  services: ['webhooks'],
  async run({ adminUrl, directory, say }) {
    if (directory === null) {
      throw new UserError('Demo data goes into the embedded database only. Unset DATABASE_URL.');
    }
    const credentials = await readCredentials(directory);
    if (!credentials) throw new UserError('Run npm start first, and this beside it.');
    const shop = await openShop(credentials).catch((error: unknown) => {
      if (error instanceof TypeError)
        throw new UserError('Run npm start first, and this beside it.');
      throw error;
    });
    if (shop.isNew) await fillWeek(await adminUrl(), shop, say);
    else say('The workspace has its week already.');
    say('Sending the messages of today');
    await shop.sendToday((count, total) => say(`  ${count} of ${total}`));
    say(`\nLog in at ${credentials.base_url}/app as ${shop.email}, password ${shop.password}`);
  },
};

async function fillWeek(url: string, shop: Shop, say: (line: string) => void): Promise<void> {
  const client = createClient({ url, applicationName: 'watchword-demo', statementTimeoutMs: 0 });
  await client.connect();
  try {
    const history = drawHistory(shop.workspaceId, await shop.prices(), Date.now());
    say(`Inserting a week: ${history.messages.length} messages`);
    await insertHistory(client, shop, history, say);
  } finally {
    await client.end();
  }
  await shop.open();
}
