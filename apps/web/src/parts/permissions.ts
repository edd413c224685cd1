import type { Dashboard } from '../api/client';

export type Permission = Dashboard['ApiKey']['permission'];

/** What a key may do, in words. */
export const PERMISSION_TEXTS = {
  full: ['Everything', 'Tout'],
  sending: ['Sending only', 'Envoi seulement'],
  otp: ['One-time passwords only', 'Codes à usage unique seulement'],
  agent: ['AI agents, with a budget', 'Agents d’IA, avec un budget'],
} as const;
