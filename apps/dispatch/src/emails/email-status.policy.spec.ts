import { expect, it } from '@jest/globals';
import { EMAIL_RECIPIENT_STATUSES, type EmailRecipientStatus } from '@watchword/contracts';
import fc from 'fast-check';
import { statusOfStates } from './email-status.policy.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

const LIVING = EMAIL_RECIPIENT_STATUSES.filter((one) => one !== 'cancelled');
const state = fc.constantFrom<EmailRecipientStatus>(...LIVING);
const states = fc.array(state, { minLength: 1, maxLength: 50 });

it('decisions 20: the status of an email follows from its recipients as the specification says', () => {
  fc.assert(
    fc.property(states, (all) => {
      const living = all.filter((one) => one !== 'failed');
      const status = statusOfStates(all);
      const has = (one: EmailRecipientStatus) => all.includes(one);
      if (living.length === 0) expect(status).toBe('failed');
      else if (has('queued')) expect(status).toBe('queued');
      else if (has('complained')) expect(status).toBe('complained');
      else if (has('bounced')) expect(status).toBe('bounced');
      else if (living.every((one) => one === 'delivered')) expect(status).toBe('delivered');
      else expect(status).toBe('sent');
    }),
  );
});

it('decisions 20: the status of an email depends neither on the order of its recipients nor on how often a state occurs', () => {
  fc.assert(
    fc.property(states, (all) => {
      const others = [...all, ...all].toReversed();
      expect(statusOfStates(others)).toBe(statusOfStates(all));
    }),
  );
});

it('decisions 26: the status of an email is that of the other recipients when some failed', () => {
  fc.assert(
    fc.property(states, (all) => {
      fc.pre(all.some((one) => one !== 'failed'));
      expect(statusOfStates([...all, 'failed'])).toBe(statusOfStates(all));
    }),
  );
});

it('the status of an email is cancelled when every recipient is', () => {
  expect(statusOfStates(['cancelled', 'cancelled'])).toBe('cancelled');
});
