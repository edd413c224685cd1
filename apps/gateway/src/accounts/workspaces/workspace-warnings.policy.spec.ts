import { describe, expect, it } from '@jest/globals';
import type { WorkspaceSettings } from '@watchword/contracts';
import { defaultSettings } from '../settings/workspace-settings.policy.js';
import { warningsOf } from './workspace-warnings.policy.js';

const warned = (name: string, change: Partial<WorkspaceSettings> = {}) =>
  warningsOf({ name, settings: { ...defaultSettings('NG'), ...change } });

describe('warningsOf', () => {
  it.each(['Acme', 'Café & Cie', 'Ünal'])('says nothing about "%s"', (name) => {
    expect(warned(name)).toEqual([]);
  });

  it('warns of a name outside of GSM-7, with the segments that a code then takes', () => {
    expect(warned('Ọjà')).toEqual([
      {
        code: 'brand_outside_gsm7',
        message: expect.stringMatching(
          /^"Ọjà" has letters outside of GSM-7, .* up to 2 segments each\.$/,
        ),
        field: 'name',
      },
    ]);
    expect(warned('Ọjà', { default_language: 'fr' })[0]?.message).toMatch(/UCS-2/);
  });

  it('does not warn where no text has the name, or the text alone is UCS-2', () => {
    expect(warned('Ọjà', { otp_text: { en: 'Code {code}', fr: 'Code {code}' } })).toEqual([]);
    const ucs2 = { en: '✓ {brand} {code}', fr: '✓ {brand} {code}' };
    expect(warned('Ọjà', { otp_text: ucs2 })).toEqual([]);
  });
});
