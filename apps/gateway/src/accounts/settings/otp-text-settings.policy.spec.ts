import { describe, expect, it } from '@jest/globals';
import type { WorkspaceSettingsPatch } from '@watchword/contracts';
import { checkOtpTemplates, checkOtpText } from './otp-text-settings.policy.js';

const host =
  'settings.webotp_domain doit être un nom d’hôte seul, par exemple « app.example.com ».';
const android_app_hash = 'FA+9qCX9VSu';
const check = (settings: WorkspaceSettingsPatch, name = 'Acme') =>
  checkOtpText({ name, settings }, { settings });

it.each([
  [
    () => checkOtpTemplates({ otp_text: { fr: 'Code' } }),
    'settings.otp_text.fr doit contenir {code}.',
  ],
  [() => check({ webotp_domain: 'https://x' }), host],
  [
    () => check({ otp_text: { en: '₦{code}'.repeat(60) }, android_app_hash }),
    expect.stringMatching(/^settings\.otp_text\.en peut occuper \d+ segments ; la limite est 1\.$/),
  ],
])('a refused text has a French sentence', (checked, fr) => {
  expect(checked).toThrow(expect.objectContaining({ text: expect.objectContaining({ fr }) }));
});

describe('a text with the hash of an Android app', () => {
  const OUTSIDE_GSM7 = 'Ọjà';
  const settings = { android_app_hash };
  const refusal = (field: string) =>
    expect.objectContaining({
      type: 'validation_error',
      field,
      text: {
        en: 'settings.otp_text.en can take 2 segments; the limit is 1.',
        fr: 'settings.otp_text.en peut occuper 2 segments ; la limite est 1.',
      },
    });

  it('is measured with the longest name, too', () => {
    const otp_text = { en: `{brand} {code} ${'x'.repeat(110)}` };
    expect(() => check({ ...settings, otp_text }, 'A')).toThrow(refusal('settings.otp_text.en'));
  });

  it('does not hinder other changes of a workspace that is older than this check', () => {
    const workspace = { name: OUTSIDE_GSM7, settings };
    for (const patch of [{}, { settings: { otp_resend_max: 0 } }]) {
      expect(() => checkOtpText(workspace, patch)).not.toThrow();
    }
  });
});
