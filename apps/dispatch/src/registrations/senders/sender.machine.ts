import type { SenderReview, SenderStatus } from '@watchword/contracts';

/** Allowed changes of one country's review. */
const REVIEW_TRANSITIONS: Record<SenderStatus, readonly SenderStatus[]> = {
  pending: ['approved', 'rejected'],
  approved: ['active', 'suspended'],
  active: ['suspended'],
  suspended: ['approved'],
  rejected: [],
};

export function isLegalStep(from: SenderStatus, to: SenderStatus): boolean {
  return REVIEW_TRANSITIONS[from].includes(to);
}

/** Statuses, best first. */
const DECIDED = ['active', 'approved', 'suspended', 'rejected'] as const;

export function overallStatus(reviews: readonly Pick<SenderReview, 'status'>[]): SenderStatus {
  const statuses = new Set(reviews.map(({ status }) => status));
  if (statuses.has('pending')) return 'pending';
  return DECIDED.find((status) => statuses.has(status)) ?? 'pending';
}
