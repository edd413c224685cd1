import { repairOutboxes } from '@watchword/bus';
import { ALL_TOPICS } from '@watchword/contracts';
import type { OperatorCommand } from '../operator-command.js';

export const repairOutbox: OperatorCommand = {
  name: 'repair-outbox',
  summary: 'Repair the outboxes of a database that was restored from another PostgreSQL server.',
  needs: () => 'database',
  services: ['billing'],
  async run({ adminUrl, say }) {
    const repaired = await repairOutboxes(await adminUrl(), ALL_TOPICS);
    for (const { outbox, messages, waiting, messagesAhead, offsetsAhead } of repaired) {
      say(
        `${outbox}: ${messages} messages in order, ${waiting} wait to be sent ` +
          `(${messagesAhead} messages and ${offsetsAhead} offsets were ahead of the server).`,
      );
    }
    if (repaired.length === 0) say('Nothing to repair: every outbox belongs to this server.');
  },
};
