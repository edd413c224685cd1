import type { DispatchCalls } from '@watchword/contracts';

/** A dispatch with no registrations. */
export const NOTHING_REGISTERED: Partial<DispatchCalls> = {
  findLinkDomain: async () => ({ is_verified: false }),
  stageDndNumbers: async () => ({}),
  publishDndList: async () => ({ numbers: 0 }),
  getEmail: async () => ({ email: null }),
  cancelEmail: async () => ({ outcome: 'not_found' }),
};
