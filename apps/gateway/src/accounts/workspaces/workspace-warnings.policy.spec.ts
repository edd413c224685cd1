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

  it('does not warn where no text has the name, or the text alone is UCS-2', () => {
    expect(warned('Ọjà', { otp_text: { en: 'Code {code}', fr: 'Code {code}' } })).toEqual([]);
    const ucs2 = { en: '✓ {brand} {code}', fr: '✓ {brand} {code}' };
    expect(warned('Ọjà', { otp_text: ucs2 })).toEqual([]);
  });
});
