export type { Outcome } from '@watchword/contracts';
