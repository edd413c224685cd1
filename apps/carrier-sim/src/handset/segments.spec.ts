import { describe, expect, it } from '@jest/globals';
import { measure } from './segments.js';

const family = '👨‍👩‍👧‍👦';

describe('measure', () => {
  it.each<[string, string, string, number]>([
    ['nothing', '', 'GSM-7', 0],
    ['a word', 'Hello', 'GSM-7', 1],
    ['160 letters', 'A'.repeat(160), 'GSM-7', 1],
    ['161 letters', 'A'.repeat(161), 'GSM-7', 2],
    ['306 letters', 'A'.repeat(306), 'GSM-7', 2],
    ['307 letters', 'A'.repeat(307), 'GSM-7', 3],
    ['80 euros', '€'.repeat(80), 'GSM-7', 1],
    ['81 euros', '€'.repeat(81), 'GSM-7', 2],
    ['an escape pair at the cut', `${'A'.repeat(152)}[]${'B'.repeat(152)}`, 'GSM-7', 3],
    ['306 septets that need three parts', 'A'.repeat(152) + '€'.repeat(77), 'GSM-7', 3],
    ['accents that GSM-7 has', 'à è é ù ò ì ñ ö ü ß Å', 'GSM-7', 1],
    ['capital Ç', 'Ç', 'GSM-7', 1],
    ['small ç', 'ç', 'UCS-2', 1],
    ['a naira sign', '₦5,000 debited', 'UCS-2', 1],
    ['a tab', 'tab\there', 'UCS-2', 1],
    ['a backtick', 'back`tick', 'UCS-2', 1],
    ['braces', '{"otp":"123456"}', 'GSM-7', 1],
    ['70 han', '中'.repeat(70), 'UCS-2', 1],
    ['71 han', '中'.repeat(71), 'UCS-2', 2],
    ['135 han', '中'.repeat(135), 'UCS-2', 3],
    ['36 emoji', '😀'.repeat(36), 'UCS-2', 2],
    ['67 emoji, none cut in two', '😀'.repeat(67), 'UCS-2', 3],
    ['a joined family at the cut', `${'A'.repeat(60)}${family}${'B'.repeat(10)}`, 'UCS-2', 2],
    ['lines', 'line1\r\nline2', 'GSM-7', 1],
  ])('%s', (_name, text, encoding, segments) => {
    expect(measure(text)).toEqual({ encoding, segments });
  });
});
