import type { DispatchCalls } from '@watchword/contracts';

/** A dispatch with no registrations. */
export const NOTHING_REGISTERED: Partial<DispatchCalls> = {
  requestSender: async () => ({ verdict: 'duplicate' }),
  findRequestedSender: async () => ({ sender: null, is_conflict: false }),
  listSenders: async () => ({ data: [] }),
  changeSender: async () => ({ verdict: 'not_found' }),
  listSendersToReview: async () => ({ data: [] }),
  reviewSender: async () => ({ verdict: 'not_found' }),
  listOptOuts: async () => ({ data: [] }),
  deleteOptOuts: async () => ({ deleted: 0 }),
  suppressAddress: async () => ({ verdict: 'idempotency_conflict' }),
  listEmailSuppressions: async () => ({ data: [] }),
  unsuppressAddress: async () => ({ verdict: 'not_found' }),
  createDomain: async () => ({ verdict: 'duplicate' }),
  listDomains: async () => ({ data: [] }),
  getDomain: async () => ({ domain: null }),
  verifyDomain: async () => ({ domain: null }),
  findLinkDomain: async () => ({ is_verified: false }),
  deleteDomain: async () => ({ deleted: false }),
  getSenderRules: async () => ({ enforcement: 'log', countries: {} }),
  replaceSenderRules: async ({ rules }) => rules,
  stageDndNumbers: async () => ({}),
  publishDndList: async () => ({ numbers: 0 }),
  getEmail: async () => ({ email: null }),
  listEmails: async () => ({ data: [] }),
  cancelEmail: async () => ({ outcome: 'not_found' }),
};
