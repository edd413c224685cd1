import { expect, it } from '@jest/globals';
import type {
  DestinationFinding,
  SenderProblem,
  SenderRule,
  SenderRules,
} from '@watchword/contracts';
import { isReplaced, ruled, senderProblem } from './sender-rules.policy.js';

const rule = (more: Partial<SenderRule> = {}): SenderRule => ({
  alphanumeric: 'allowed',
  length_min: 3,
  reserved_words: ['INFO', 'One Time'],
  quiet_hours: null,
  last_checked: '2026-07-01',
  ...more,
});
type Registration = DestinationFinding['sender'];

it.each<[string, Partial<SenderRule>, string, Registration, SenderProblem | null]>([
  ['a usual name', {}, 'Acme', 'unregistered', null],
  ['a reserved word', {}, 'Info', 'unregistered', 'reserved'],
  ['one with other marks', {}, 'one-time', 'usable', 'reserved'],
  ['a name that contains one', {}, 'AcmeInfo', 'unregistered', null],
  ['a name of two letters', {}, 'Ac', 'usable', 'too_short'],
  ['letters forbidden', { alphanumeric: 'forbidden' }, 'Acme', 'usable', 'forbidden'],
  ['letters replaced', { alphanumeric: 'replaced' }, 'Acme', 'unregistered', 'replaced'],
  ['two letters replaced', { alphanumeric: 'replaced' }, 'Ac', 'unregistered', 'replaced'],
  ['a reserved word replaced', { alphanumeric: 'replaced' }, 'Info', 'usable', 'replaced'],
  ['registered, and not', { alphanumeric: 'registered' }, 'Acme', 'unregistered', 'unregistered'],
  ['registered, and barred', { alphanumeric: 'registered' }, 'Acme', 'barred', 'unregistered'],
  ['registered', { alphanumeric: 'registered' }, 'Acme', 'usable', null],
])('the problem of a sender ID: %s', (_, more, senderId, registration, problem) => {
  expect(senderProblem(rule(more), senderId, registration)).toBe(problem);
});

const replaced = { NG: rule({ alphanumeric: 'replaced' }) };

it.each<[SenderRules['enforcement'], string, string, boolean]>([
  ['enforce', 'NG', 'Acme', true],
  ['enforce', 'NG', '4U', true],
  ['enforce', 'NG', '+2347000123', false],
  ['enforce', 'NG', '20880', false],
  ['enforce', 'KE', 'Acme', false],
  ['enforce', 'constructor', 'Acme', false],
  ['log', 'NG', 'Acme', false],
  ['off', 'NG', 'Acme', false],
])(
  'a sender ID is replaced with enforcement %s, %s, %s: %s',
  (enforcement, countryCode, sender, expected) => {
    expect(isReplaced({ enforcement, countries: replaced }, countryCode, sender)).toBe(expected);
  },
);

const rules = (enforcement: SenderRules['enforcement'], of: SenderRule): SenderRules => ({
  enforcement,
  countries: { NG: of },
});
const forbidden = rule({ alphanumeric: 'forbidden' });
const asked = { sender_id: 'Acme', country_code: 'NG' };

it.each<[SenderRules['enforcement'], object]>([
  ['off', {}],
  ['log', { rule: { problem: 'forbidden', is_enforced: false, length_min: 3 } }],
  ['enforce', { rule: { problem: 'forbidden', is_enforced: true, length_min: 3 } }],
])('sender rules with enforcement %s', (enforcement, found) => {
  expect(ruled(rules(enforcement, forbidden), asked, 'usable')).toEqual(found);
});

it.each(['KE', '', 'constructor', '__proto__'])(
  'sender rules have no rule for "%s"',
  (country_code) => {
    expect(ruled(rules('enforce', forbidden), { ...asked, country_code }, 'usable')).toEqual({});
  },
);

it('sender rules say nothing about a send without a sender ID', () => {
  expect(ruled(rules('enforce', forbidden), { ...asked, sender_id: null }, 'usable')).toEqual({});
});

it('quiet hours hold when the rules of sender IDs are off', () => {
  const quiet_hours = { time_zone: 'UTC', windows: [{ from: '20:00', to: '08:00' }] };
  const quiet_at = '2026-11-26T21:00:00.000Z';
  const quiet = rules('off', rule({ quiet_hours }));
  expect(ruled(quiet, { ...asked, quiet_at }, 'usable')).toEqual({
    quiet_until: '2026-11-27T08:00:00.000Z',
  });
  expect(ruled(quiet, asked, 'usable')).toEqual({});
});
