import { EmailComposer } from '@watchword/email';
import type { Platform } from '@watchword/platform';
import type { EmailParts } from './emails.js';

/** What the settings of this process give to emails. Without a domain that may send, none is sent. */
export function configuredEmail(_platform: Platform): EmailParts {
  return {
    providers: new Map(),
    composer: new EmailComposer(),
    domains: { signing: async () => [] },
    suppressions: {
      add: async () => undefined,
      suppressed: async (questions) => questions.map(() => false),
    },
  };
}
