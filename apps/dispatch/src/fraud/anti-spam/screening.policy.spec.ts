import { describe, expect, it } from '@jest/globals';
import { otpCommand, smsCommand } from '../../../test/commands.kit.js';
import { tagged, testVerdict, toBeClassified, verdictOf } from './screening.policy.js';

const sms = (antiSpam: 'off' | 'tag' | 'block') => {
  const command = smsCommand();
  return { ...command, sms: command.sms && { ...command.sms, anti_spam: antiSpam } };
};

const FLAGGED = {
  label: 'scam',
  score: 0.9,
  flagged: true,
  reasons: ['prize'],
  model: 'rules',
  version: '1',
  latency_ms: 0,
} as const;

describe('screening', () => {
  it('is of SMS whose workspace wants it, never of one-time passwords', () => {
    expect(toBeClassified(sms('off'))).toBeNull();
    expect(toBeClassified(sms('tag'))?.setting).toBe('tag');
    expect(toBeClassified(sms('block'))?.setting).toBe('block');
    expect(toBeClassified(otpCommand())).toBeNull();
  });

  it('does as the workspace says with what is flagged, and nothing with the rest', () => {
    expect(verdictOf(FLAGGED, 'block').action).toBe('block');
    expect(verdictOf(FLAGGED, 'tag').action).toBe('tag');
    expect(verdictOf({ ...FLAGGED, flagged: false }, 'block').action).toBe('none');
    expect(Object.keys(verdictOf(FLAGGED, 'block')).join(' ')).toBe(
      'label score flagged action reasons model version latency_ms',
    );
  });

  it('never overwrites what the caller wrote', () => {
    const verdict = verdictOf(FLAGGED, 'tag');
    const tag = { label: 'scam', score: 0.9, reasons: ['prize'] };
    expect(tagged({ order: 7 }, verdict)).toEqual({ order: 7, antispam: tag });
    expect(tagged({ antispam: null }, verdict)).toEqual({ antispam: null, svc_antispam: tag });
    expect(tagged(JSON.parse('{"__proto__":1}') as Record<string, unknown>, verdict)).toEqual({
      ...(JSON.parse('{"__proto__":1}') as Record<string, unknown>),
      antispam: tag,
    });
  });

  it('has two test-mode numbers with a verdict of their own', () => {
    const to = (destination: string, test_mode = true) =>
      testVerdict(smsCommand({ destination, test_mode }))?.action ?? null;
    expect(to('+12025550140')).toBe('block');
    expect(to('+2348030000041')).toBe('tag');
    expect(to('+12025550142')).toBeNull();
    expect(to('+2348030000040', false)).toBeNull();
    const otp = otpCommand({ destination: '+12025550140', test_mode: true });
    expect(testVerdict(otp)).toBeNull();
  });
});
