import type { ChannelContract } from '../channel-contract.js';

export const EMAIL_CONTRACT: ChannelContract = {
  pricedBy: 'recipient',
  granted: 'email',
  notFound: { en: 'No email has this id.', fr: 'Aucun e-mail n’a cet identifiant.' },
  hasLongBody: true,
};
