import { describe, expect, it } from '@jest/globals';
import { EMAIL_RECIPIENT_STATUSES, type EmailRecipientStatus } from '@watchword/contracts';
import fc from 'fast-check';
import { statusOfStates } from './email-status.policy.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

const LIVING = EMAIL_RECIPIENT_STATUSES.filter((one) => one !== 'cancelled');
const state = fc.constantFrom<EmailRecipientStatus>(...LIVING);
const states = fc.array(state, { minLength: 1, maxLength: 50 });

describe('the status of an email', () => {
  it('decisions 20: follows from its recipients as the specification says', () => {
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

  it('decisions 20: knows neither the order of the recipients nor how often a state occurs', () => {
    fc.assert(
      fc.property(states, (all) => {
        const others = [...all, ...all].toReversed();
        expect(statusOfStates(others)).toBe(statusOfStates(all));
      }),
    );
  });

  it('decisions 26: is that of the others where some failed', () => {
    fc.assert(
      fc.property(states, (all) => {
        fc.pre(all.some((one) => one !== 'failed'));
        expect(statusOfStates([...all, 'failed'])).toBe(statusOfStates(all));
      }),
    );
  });

  it('is cancelled when every recipient is', () => {
    expect(statusOfStates(['cancelled', 'cancelled'])).toBe('cancelled');
  });
});
