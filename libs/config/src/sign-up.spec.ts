import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './load-config.js';
import { signUpRules } from './sign-up.js';

const rulesOf = (environment: Record<string, string>) =>
  signUpRules(loadConfig(environment).config);

describe('signUpRules', () => {
  it.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1', '[::1]'])(
    'opens sign-up and gives trial credits at once on %s',
    (host) => {
      expect(rulesOf({ HOST: host })).toEqual({ mode: 'open', trialCredits: 'at_signup' });
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.1', 'localhost.example.com'])(
    'asks for invitation and confirmation on %s',
    (host) => {
      const expected = { mode: 'invite', trialCredits: 'after_confirmation' };
      expect(rulesOf({ HOST: host })).toEqual(expected);
    },
  );

  it('follows the settings on every host', () => {
    const closed = rulesOf({ SIGNUP: 'closed', TRIAL_CREDITS: 'none' });
    expect(closed).toEqual({ mode: 'closed', trialCredits: 'none' });
    const open = rulesOf({ HOST: '0.0.0.0', SIGNUP: 'open', TRIAL_CREDITS: 'at_signup' });
    expect(open).toEqual({ mode: 'open', trialCredits: 'at_signup' });
  });

  it('refuses other words', () => {
    expect(() => loadConfig({ SIGNUP: 'yes' })).toThrow('SIGNUP must be one of open, invite');
  });
});
