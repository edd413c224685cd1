import { prepareInstallation } from '@watchword/host';
import type { OperatorCommand } from '../operator-command.js';

export const migrate: OperatorCommand = {
  name: 'migrate',
  summary: 'Bring roles, rights, schemas and Kafka topics up to date, for services that run apart.',
  // Without them it would give roles other passwords than those of the services.
  needsSecrets: true,
  services: ['billing'],
  async run({ config, definitions, adminUrl, logger, say }) {
    const states = await prepareInstallation(await adminUrl(), config, definitions, logger);
    for (const { schema, at, ran } of states) say(`${schema}: ${ran} migrations run, at ${at}.`);
  },
};
