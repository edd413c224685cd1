import type { Resource } from '../errors/unknown-resources.js';

interface OwnId {
  readonly description: string;
  readonly pattern: string;
  readonly examples: readonly string[];
}

/** Forms of ids that are no UUIDs, by the resource of the route. */
export const OWN_IDS: Partial<Record<Resource, OwnId>> = {
  carrier_account: {
    description: 'Id of the account.',
    pattern: '^[a-z][a-z0-9_]{1,31}$',
    examples: ['twilio'],
  },
};
