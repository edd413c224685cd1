import { describe, expect, it } from '@jest/globals';
import { keyMistake } from './key-mistake.policy.js';

const KEY = `svc_live_${'a'.repeat(32)}`;

describe('the sentence of a 401', () => {
  it.each([
    ['no header', {}, 'Send an API key: Authorization: Bearer <key>.'],
    ['another header', { 'x-api-key': KEY }, 'The API key is in x-api-key.'],
    ['no scheme', { authorization: KEY }, 'Write "Bearer " before the API key'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'must have the scheme Bearer'],
    ['no key', { authorization: 'Bearer' }, 'has no API key after "Bearer"'],
    ["an operator's token", { authorization: `Bearer ${'x'.repeat(40)}` }, 'is no API key'],
    ["a webhook's secret", { authorization: 'Bearer whsec_abc' }, "a webhook's secret"],
    ['a short key', { authorization: `Bearer ${KEY.slice(0, -1)}` }, 'this one has 40'],
    ['a wrong character', { authorization: `Bearer ${KEY.slice(0, -1)}-` }, 'letters and digits'],
    ['a key of the right form', { authorization: `Bearer ${KEY}` }, 'unknown or revoked'],
  ])('names the mistake: %s', (_, headers, sentence) => {
    const { en, fr } = keyMistake(headers);
    expect(en).toContain(sentence);
    expect(fr).not.toBe(en);
    expect(`${en}${fr}`).not.toContain(KEY);
  });
});
