import { expect, it } from '@jest/globals';
import { checkOtpTemplates, checkOtpText } from './otp-text-settings.policy.js';

const host =
  'settings.webotp_domain doit être un nom d’hôte seul, par exemple « app.example.com ».';

it.each([
  [
    () => checkOtpTemplates({ otp_text: { fr: 'Code' } }),
    'settings.otp_text.fr doit contenir {code}.',
  ],
  [() => checkOtpText({ webotp_domain: 'https://x' }), host],
  [
    () => checkOtpText({ otp_text: { en: '₦{code}'.repeat(60) }, android_app_hash: 'FA+9qCX9VSu' }),
    expect.stringMatching(/^settings\.otp_text\.en peut occuper \d+ segments ; la limite est 1\.$/),
  ],
])('a refused text has a French sentence', (check, fr) => {
  expect(check).toThrow(expect.objectContaining({ text: expect.objectContaining({ fr }) }));
});
