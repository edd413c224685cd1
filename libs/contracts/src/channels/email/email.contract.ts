import type { ChannelContract } from '../channel-contract.js';

export const EMAIL_CONTRACT: ChannelContract = {
  pricedBy: 'recipient',
  granted: 'email',
  isPumped: false,
  refusesAtOnce: true,
  invalidNumber: 'phone_invalid',
  hasLongBody: true,
  unknown: { en: 'No email has this id.', fr: 'Aucun e-mail n’a cet identifiant.' },
};
