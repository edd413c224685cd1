import { describe, expect, it } from '@jest/globals';
import { judgeSender, type SenderTerms, type SenderVerdict } from './sender-registration.policy.js';

const rules = (more: Partial<SenderTerms> = {}): SenderTerms => ({
  enforcement: 'log',
  isShared: false,
  isProtected: false,
  ...more,
});

describe('judgeSender', () => {
  it.each<[string, 'usable' | 'barred' | 'unregistered', Partial<SenderTerms>, SenderVerdict]>([
    ['approved', 'usable', { enforcement: 'enforce', isProtected: true }, 'pass'],
    [
      'rejected, with every setting',
      'barred',
      { enforcement: 'off', isShared: true },
      'not_approved',
    ],
    ['not registered, off', 'unregistered', { enforcement: 'off' }, 'pass'],
    ['not registered, log', 'unregistered', {}, 'warn'],
    ['not registered, enforce', 'unregistered', { enforcement: 'enforce' }, 'not_approved'],
    ['shared, enforce', 'unregistered', { enforcement: 'enforce', isShared: true }, 'pass'],
    ['protected, off', 'unregistered', { enforcement: 'off', isProtected: true }, 'protected'],
    ['protected, shared', 'unregistered', { isShared: true, isProtected: true }, 'protected'],
  ])('decisions 18: %s', (_, sender, more, verdict) => {
    expect(judgeSender({ sender }, rules(more))).toBe(verdict);
  });
});
