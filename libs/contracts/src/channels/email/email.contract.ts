import type { ChannelContract } from '../channel-contract.js';

export const EMAIL_CONTRACT: ChannelContract = {
  pricedBy: 'recipient',
  granted: 'email',
  isPumped: false,
  refusesAtOnce: true,
  invalidNumber: 'phone_invalid',
  hasLongBody: true,
};
