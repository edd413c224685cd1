import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTemplate, renderTemplate, TEMPLATE_VARIABLES_MAX } from './sms-template.js';

describe('parseTemplate', () => {
  it('finds each name once, in the order of the text', () => {
    const body = 'Hi {{name}}, order {{ order_id }} of {{name}} costs {{_total}}.';
    expect(parseTemplate(body)).toEqual({ ok: true, variables: ['name', 'order_id', '_total'] });
    expect(parseTemplate('No names, { one } brace.')).toEqual({ ok: true, variables: [] });
  });

  it.each([
    '{{',
    '{{}}',
    '{{ 1a }}',
    '{{{a}}}',
    '{{a',
    '{{a b}}',
    '{{é}}',
    `{{${'a'.repeat(65)}}}`,
  ])('refuses %s', (body) => {
    expect(parseTemplate(body)).toEqual({ ok: false, problem: 'malformed' });
  });

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
  it('inserts strings, numbers and booleans once, and never expands them again', () => {
    const values = new Map<string, string | number | boolean>([
      ['a', '{{b}} $& $1'],
      ['b', 7],
      ['c', false],
    ]);
    expect(renderTemplate('{{a}}|{{ b }}|{{c}}|{{a}}', values)).toEqual({
      text: '{{b}} $& $1|7|false|{{b}} $& $1',
      missing: [],
    });
  });

  it('names what is missing and leaves it standing', () => {
    expect(renderTemplate('{{a}} {{ b }} {{a}}', new Map([['c', 'x']]))).toEqual({
      text: '{{a}} {{ b }} {{a}}',
      missing: ['a', 'b'],
    });
  });

  it('gives back any text without placeholders', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('{{'));
        expect(renderTemplate(text, new Map()).text).toBe(text);
      }),
    );
  });
});
