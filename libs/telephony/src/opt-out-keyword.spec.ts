import { describe, expect, it } from '@jest/globals';
import { inboundKeywordOf } from './opt-out-keyword.js';

describe('the keyword of an inbound message', () => {
  it.each([
    'STOP',
    'stop',
    ' Stop! ',
    'Stop.',
    '"STOP"',
    'Unsubscribe',
    'end',
    'cancel',
    'opt out',
    'OPT-OUT',
    'S T O P',
    'ＳＴＯＰ',
    'st\u200bop',
    '\tSTOP\r\n',
    'STOP ALL',
    'ARRÊT',
    'arre\u0302t',
    'Désabonner',
    'remove',
    'TD',
  ])('decisions 28: %j opts out', (body) => {
    expect(inboundKeywordOf(body)).toBe('stop');
  });

  it.each(['START', 'yes', 'Unstop', 's t a r t', 'ＳＴＡＲＴ', 'Y.E.S.'])(
    'decisions 28: %j opts in',
    (body) => {
      expect(inboundKeywordOf(body)).toBe('start');
    },
  );

  it.each(['help', 'INFO?', 'aide'])('%j asks for help', (body) => {
    expect(inboundKeywordOf(body)).toBe('help');
  });

  it.each([
    '',
    'please stop',
    'stop it',
    'STOPPED',
    'yes please',
    '__proto__',
    'STOP'.repeat(300_000),
  ])('other texts say nothing', (body) => {
    expect(inboundKeywordOf(body)).toBeNull();
  });
});
