import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTemplate, renderTemplate, TEMPLATE_VARIABLES_MAX } from './sms-template.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

describe('parseTemplate', () => {
  it('finds each name once, in the order of the text', () => {
    const body = 'Hi {{name}}, order {{ order_id }} of {{name}} costs {{_total}}.';
    expect(parseTemplate(body)).toEqual({ ok: true, variables: ['name', 'order_id', '_total'] });
    expect(parseTemplate('No names, { one } brace.')).toEqual({ ok: true, variables: [] });
  });

  it.each(['{{', '{{}}', '{{{a}}}', '{{a', '{{é}}', '{{ __proto__ }}', `{{${'a'.repeat(65)}}}`])(
    'refuses %s',
    (body) => {
      expect(parseTemplate(body)).toEqual({ ok: false, problem: 'malformed' });
    },
  );

  it('takes 50 names and no more', () => {
    const body = (names: number) => Array.from({ length: names }, (_, n) => `{{v${n}}}`).join('');
    expect(parseTemplate(body(TEMPLATE_VARIABLES_MAX)).ok).toBe(true);
    expect(parseTemplate(body(TEMPLATE_VARIABLES_MAX + 1))).toEqual({
      ok: false,
      problem: 'too_many_variables',
    });
  });
});

describe('renderTemplate', () => {
  const MAX = 1_600;

  it('inserts strings, numbers and booleans once, and never expands them again', () => {
    const values = new Map<string, string | number | boolean>([
      ['a', '{{b}} $& $1'],
      ['b', 7],
      ['c', false],
    ]);
    expect(renderTemplate('{{a}}|{{ b }}|{{c}}|{{a}}', values, MAX)).toEqual({
      text: '{{b}} $& $1|7|false|{{b}} $& $1',
      characters: 31,
      missing: [],
    });
  });

  it('names what is missing and leaves it standing', () => {
    expect(renderTemplate('{{a}} {{ b }} {{a}}', new Map([['c', 'x']]), MAX)).toEqual({
      text: '{{a}} {{ b }} {{a}}',
      characters: 19,
      missing: ['a', 'b'],
    });
  });

  it('counts a text that is too long and does not make it', () => {
    // 384 MB of text would end the process.
    const values = new Map([['a', 'x'.repeat(1_200_000)]]);
    expect(renderTemplate('{{a}}'.repeat(320), values, MAX)).toEqual({
      text: null,
      characters: 384_000_000,
      missing: [],
    });
    expect(renderTemplate('{{a}}', new Map([['a', 'x'.repeat(MAX)]]), MAX).text).toHaveLength(MAX);
  });
});
