import { expect, it } from '@jest/globals';
import { otpCommand, smsCommand } from '../../../test/commands.kit.js';
import { tagged, toBeClassified, verdictOf } from './screening.policy.js';

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

it('anti-spam judges SMS whose workspace wants it, and never one-time passwords', () => {
  expect(toBeClassified(sms('off'))).toBeNull();
  expect(toBeClassified(sms('tag'))?.setting).toBe('tag');
  expect(toBeClassified(otpCommand())).toBeNull();
});

it('a flagged text gets the action of the workspace, and any other text none', () => {
  expect(verdictOf(FLAGGED, 'block').action).toBe('block');
  expect(verdictOf(FLAGGED, 'tag').action).toBe('tag');
  expect(verdictOf({ ...FLAGGED, flagged: false }, 'block').action).toBe('none');
});

it('the tag of anti-spam never overwrites the metadata of the caller', () => {
  const verdict = verdictOf(FLAGGED, 'tag');
  const tag = { label: 'scam', score: 0.9, reasons: ['prize'] };
  expect(tagged({ order: 7 }, verdict)).toEqual({ order: 7, antispam: tag });
  expect(tagged({ antispam: null }, verdict)).toEqual({ antispam: null, svc_antispam: tag });
});
