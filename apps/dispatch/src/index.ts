import { baselineOf, type ServiceDefinition } from '@watchword/platform';
import { sqlFolder } from '@watchword/postgres';
import { DispatchModule } from './dispatch.module.js';
import { EMAIL_CONTENT_PURPOSE } from './emails/email-content.store.js';
import { DKIM_PURPOSE } from './registrations/domains/email-domain.store.js';
import { CODE_PURPOSE } from './verification/otp-secrets.js';

export const dispatchService: ServiceDefinition = {
  name: 'dispatch',
  migrations: [baselineOf('dispatch', import.meta.url)],
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
