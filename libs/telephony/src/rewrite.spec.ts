import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import smartEncoding from './data/smart-encoding.json' with { type: 'json' };
import { rewriteText } from './rewrite.js';
import { measureSegments } from './segments.js';

/** The same on every machine; `PROPERTY_SEED` for others. */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_121) });

describe('rewriteText', () => {
  it.each([
    ['₦5,000 debited', 'NGN5,000 debited', 16],
    ['Pay ₵20 or €15 or £3 or $2', 'Pay GHS20 or €15 or £3 or $2', 29],
    ['“Hello” — it’s ‘me’…', "\"Hello\" - it's 'me'...", 22],
    ['Order shipped 🎉', 'Order shipped', 13],
    ['Hi 👋 there 😀😀!', 'Hi there !', 10],
    ['👨‍👩‍👧‍👦 family', 'family', 6],
    ['© 2026 Acme™', '(c) 2026 AcmeTM', 15],
    ['a\u00a0b\u2009c\u200dd', 'a b cd', 6],
    ['10°C × 2 = 20', '10 degC x 2 = 20', 16],
  ])('turns %j into %j', (text, expected, septets) => {
    expect(rewriteText(text)).toEqual({ text: expected, rewritten: true });
    expect(measureSegments(expected)).toMatchObject({ encoding: 'GSM-7', units: septets });
  });

  it.each(['naïve rôle', 'Ẹ kú àárọ̀'.normalize('NFC'), '日本語', '★'])('leaves %j', (text) => {
    expect(rewriteText(text)).toEqual({ text, rewritten: false });
  });

  it.each([
    ['a 😀 😀 b', 'a b'],
    ['a\n🎉 b', 'a\nb'],
    ['🎉', ''],
    ['‼️ ✳️', '!! *'],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿 won', 'won'],
    ['5 ₢', '5 '],
    ['one\u2028two', 'one\ntwo'],
  ])('turns %j into %j', (text, expected) => {
    expect(rewriteText(text).text).toBe(expected);
  });

  it.each([
    ['GH₵50', 'GHS50'],
    ['Rs₨50', 'Rs50'],
    ['NGN₦5,000 and NGN ₦5,000', 'NGN5,000 and NGN 5,000'],
    ['US$5 or ₦5', 'US$5 or NGN5'],
    ['n°4521', 'No4521'],
    ['nº\u00a04521', 'No 4521'],
    ['10°', '10 deg'],
    ['1½ hours and ½ litre', '1 1/2 hours and 1/2 litre'],
  ])('writes the sign of %j as in %j', (text, expected) => {
    expect(rewriteText(text).text).toBe(expected);
  });

  it.each([
    ['joiners of a Persian word', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['joiners of a word in Sinhala', 'ක්\u200dය', 'ක්\u200dය'],
    ['dashes and spaces', '日本語 – a\u00a0b … ½', '日本語 – a\u00a0b … ½'],
    ['all but signs', '“日本” — ₦5 GH₵5 © ‼️ 1️⃣ 👨‍👩‍👧 🇳🇬', '"日本" — NGN5 GHS5 © ‼️ 1'],
  ])('keeps %s where the text stays UCS-2', (_title, text, expected) => {
    expect(rewriteText(text).text).toBe(expected);
  });

  it('composes decomposed letters first', () => {
    expect(rewriteText('cafe\u0301')).toEqual({ text: 'café', rewritten: true });
  });

  it('leaves accents on their letters, even those the smart-encoding list knows', () => {
    expect(rewriteText('m\u0302 s\u0326\u0303')).toMatchObject({ text: 'm\u0302 ș\u0303' });
  });

  it('only composes letters when off', () => {
    expect(rewriteText('“₦”', 'off')).toEqual({ text: '“₦”', rewritten: false });
    expect(rewriteText('“cafe\u0301”', 'off')).toEqual({ text: '“café”', rewritten: true });
    // NFC makes two characters of this letter.
    expect(rewriteText('\u0958', 'off')).toEqual({ text: '\u0958', rewritten: false });
  });
});

describe('rewriteText, for any text', () => {
  const awkward = [
    ...Object.keys(smartEncoding),
    ...'ae \n1éç₦₢¤°<=©😀❤ℹ🇳🇬👩🏽\ufe0f\u20e3\u200d\u00ad\u{e0067}',
    // Accents, the first half of a surrogate pair, and a second half alone.
    ...'\u0301\u0302\u0326\u0338\u0323\u1dcd\ud83d \ude00',
  ];
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom(...awkward), maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  );

  it('is idempotent', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = rewriteText(text).text;
        expect(rewriteText(once)).toEqual({ text: once, rewritten: false });
      }),
      { numRuns: 3000 },
    );
  });

  it('never touches a letter for its accent', () => {
    const unit = fc
      .oneof(fc.integer({ min: 0x100, max: 0x24f }), fc.integer({ min: 0x1ea0, max: 0x1ef9 }))
      .map((code) => String.fromCharCode(code))
      .filter((letter) => !['œ', 'Œ', 'ǃ'].includes(letter));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        expect(rewriteText(text)).toEqual({ text, rewritten: false });
      }),
    );
  });
});
