import { baselineOf, type ServiceDefinition } from '@watchword/platform';
import { type PartitionedTables, sqlFolder } from '@watchword/postgres';
import { DispatchModule } from './dispatch.module.js';
import { EMAIL_CONTENT_PURPOSE } from './emails/email-content.store.js';
import { DKIM_PURPOSE } from './registrations/domains/email-domain.store.js';
import { CODE_PURPOSE } from './verification/otp-secrets.js';

const partitions: PartitionedTables = {
  schema: 'dispatch',
  main: { name: 'messages', key: 'id', fillfactor: 50 },
  details: { name: 'attempts', key: 'message_id', fillfactor: 80 },
  period: 'month',
  // A message waits for its time, or for a carrier's answer.
  isInUse: `EXISTS (SELECT FROM dispatch.%2$I WHERE held_by IS NOT NULL) OR EXISTS (
    SELECT FROM dispatch.scheduled_messages WHERE message_id >= %3$L AND message_id < %4$L)`,
};

export const dispatchService: ServiceDefinition = {
  name: 'dispatch',
  migrations: [baselineOf('dispatch', import.meta.url, partitions)],
  functions: sqlFolder(import.meta.url),
  sealed: [
    {
      table: 'messages',
      key: { id: 'uuid' },
      column: 'code_cipher',
      type: 'base64',
      purpose: CODE_PURPOSE,
    },
    {
      table: 'email_contents',
      key: { workspace_id: 'uuid', sha256: 'text' },
      column: 'content_cipher',
      type: 'bytea',
      purpose: EMAIL_CONTENT_PURPOSE,
    },
    {
      table: 'email_domains',
      key: { id: 'uuid' },
      column: 'private_key',
      type: 'bytea',
      purpose: DKIM_PURPOSE,
    },
  ],
  module: (platform) => DispatchModule.with(platform),
};
