import { describe, expect, it } from '@jest/globals';
import { negotiateLanguage } from './language.policy.js';

describe('negotiateLanguage', () => {
  it.each([
    [undefined, 'en', 'fr'],
    ['', 'en', 'fr'],
    ['fr', 'fr', 'fr'],
    ['en', 'en', 'en'],
    ['FR', 'fr', 'fr'],
    ['fr-CA', 'fr', 'fr'],
    ['en-GB, en;q=0.9, fr;q=0.8', 'en', 'en'],
    ['en;q=0.3, fr;q=0.7', 'fr', 'fr'],
    ['fr;q=0.7,en;q=0.7', 'fr', 'fr'],
    ['en;q=0.7,fr;q=0.7', 'en', 'en'],
    ['de, fr;q=0.2', 'fr', 'fr'],
    ['de', 'en', 'fr'],
    ['de, es;q=0.9', 'en', 'fr'],
    ['*', 'en', 'fr'],
    ['*;q=0.5, fr;q=0.4', 'en', 'en'],
    ['en;q=0', 'en', 'fr'],
    ['en;q=0, *', 'fr', 'fr'],
    ['fr;q=2', 'en', 'fr'],
    ['fr;q=', 'en', 'fr'],
    ['fr;q=0.0001', 'en', 'fr'],
    ['french', 'en', 'fr'],
    [';;,,;q=1', 'en', 'fr'],
  ] as const)(
    '%j is %s in an English workspace, %s in a French one',
    (header, inEnglish, inFrench) => {
      expect(negotiateLanguage(header, 'en')).toBe(inEnglish);
      expect(negotiateLanguage(header, 'fr')).toBe(inFrench);
    },
  );

  it('is English for an unknown caller, unless the caller asks for French', () => {
    expect(negotiateLanguage(undefined, undefined)).toBe('en');
    expect(negotiateLanguage('de', undefined)).toBe('en');
    expect(negotiateLanguage('fr', undefined)).toBe('fr');
  });
});
