import { describe, expect, it } from '@jest/globals';
import { ApiError, ERROR_CATALOGUE, type ErrorType } from './error-catalogue.js';
import { ERROR_MESSAGES } from './error-messages.js';
import { INPUT_PROBLEMS, inputMessage } from './input-problems.js';
import { UNKNOWN_RESOURCES } from './unknown-resources.js';
import { WEBHOOK_MESSAGES } from './webhook-messages.js';

const types = Object.keys(ERROR_CATALOGUE) as ErrorType[];

describe('the error catalogue', () => {
  it.each(types)('has two different texts of %s, and what to do', (type) => {
    const { en, fr, next } = ERROR_CATALOGUE[type];
    expect([en, fr, next].map((text) => /^[^ ].*\.$/.test(text))).toEqual([true, true, true]);
    expect(fr).not.toBe(en);
    expect(new ApiError(type)).toMatchObject({ message: en, text: { en, fr } });
  });

  it('calls what may succeed later retriable, and nothing else', () => {
    const retriable = types.filter((type) => ERROR_CATALOGUE[type].retriable);
    expect(retriable).toEqual([
      'rate_limit_exceeded',
      'rate_limited',
      'internal_error',
      'upstream_error',
    ]);
  });

  it('has both languages for every message', () => {
    const values = [
      ...Object.values(ERROR_MESSAGES),
      ...Object.values(INPUT_PROBLEMS),
      ...Object.values(UNKNOWN_RESOURCES),
      ...Object.values(WEBHOOK_MESSAGES),
    ];
    for (const value of values) {
      const parameters = [['GET'] as never, 5 as never, 6 as never] as const;
      const { en, fr } = typeof value === 'function' ? value(...parameters) : value;
      expect(en.length * fr.length).toBeGreaterThan(0);
      expect(fr).not.toBe(en);
    }
  });

  it('names the input to blame in both', () => {
    expect(inputMessage('to', 'required')).toEqual({
      en: 'to is required.',
      fr: 'to est obligatoire.',
    });
    expect(inputMessage(undefined, INPUT_PROBLEMS.mustBe(['object'])).fr).toBe(
      'Le corps doit être object.',
    );
  });

  it('falls back to the French of the type for a text without one', () => {
    const error = new ApiError('conflict', { message: 'Only English.' });
    expect(error.text).toEqual({ en: 'Only English.', fr: ERROR_CATALOGUE.conflict.fr });
  });
});
