import { expect, it } from '@jest/globals';
import type { DomainPurpose } from '@watchword/contracts';
import { judgeAnswers } from './domain-answers.policy.js';

const KEY = 'MIIBIjANBg';
const VALUES: Record<DomainPurpose, string> = {
  DKIM: `v=DKIM1; k=rsa; p=${KEY}`,
  SPF: 'v=spf1 include:b.example ~all',
  MX: 'b.example',
  DMARC: 'v=DMARC1; p=none',
  TRACKING: 'links.example',
};
const judged = (purpose: DomainPurpose, ...answers: string[]) =>
  judgeAnswers({ purpose, value: VALUES[purpose] }, KEY, answers);
const lookUps = Array.from({ length: 10 }, (_, at) => `a:h${at}.example`).join(' ');

it.each<[DomainPurpose, ...string[]]>([
  ['DKIM', VALUES.DKIM],
  ['DKIM', `k=rsa; s=email; t=s; p=MIIB IjANBg;`],
  ['SPF', 'some text', VALUES.SPF],
  ['SPF', 'v=spf1 a mx/24 ip4:192.0.2.0/24 ip6:2001:db8::/32 +include:B.example. exp=x.y -all'],
  ['MX', 'B.example.'],
  ['DMARC', 'v=DMARC1;p=reject'],
  ['TRACKING', 'links.example'],
])('the DNS record %s is verified: %j', (purpose, ...answers) => {
  expect(judged(purpose, ...answers)).toEqual({ status: 'verified', problem: null });
});

it.each<[DomainPurpose, string[], string]>([
  ['DKIM', [VALUES.DKIM, 'v=DKIM1; p=OLD'], 'Another record stands at this name: "v=DKIM1; p=OLD"'],
  ['DKIM', [VALUES.DKIM, 'any text'], '"any text". Remove it.'],
  ['DKIM', [VALUES.DKIM, VALUES.DKIM], 'twice'],
  ['DKIM', ['v=DKIM1; p=OLD'], 'Replace it'],
  ['DKIM', [`p=${KEY}; v=DKIM1`], 'Another record'],
  ['DKIM', [`v=DKIM1; s=other; p=${KEY}`], 'Another record'],
  ['DKIM', [`v=DKIM1; p=${KEY}; p=${KEY}`], 'Another record'],
  ['SPF', [VALUES.SPF, 'v=spf1 mx -all'], 'Join this one: "v=spf1 mx -all"'],
  ['SPF', ['v=spf1 mx -all'], 'lacks include:b.example'],
  ['SPF', ['v=spf1 -all include:b.example'], 'stands behind "-all"'],
  ['SPF', ['v=spf1 ipv4:192.0.2.1 include:b.example ~all'], 'not valid: "ipv4:192.0.2.1"'],
  ['SPF', ['v=spf1 -include:b.example ~all'], 'lacks'],
  ['SPF', [`v=spf1 ${lookUps} include:b.example ~all`], '11 look-ups'],
  ['MX', ['b.example', 'mx.other.example'], '"mx.other.example" first'],
  ['MX', ['.'], 'must lead to b.example only'],
  ['DMARC', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'Remove one: "v=DMARC1; p=reject"'],
  ['DMARC', ['v=DMARC1; rua=mailto:a@b.example'], 'no policy'],
  ['TRACKING', ['other.example'], 'must lead to links.example only'],
])('the DNS record %s fails for %j', (purpose, answers, problem) => {
  const found = judged(purpose, ...answers);
  expect(found.status).toBe('failed');
  expect(found.problem).toContain(problem);
});

it('a DNS record is pending when the domain has none', () => {
  for (const purpose of Object.keys(VALUES) as DomainPurpose[]) {
    expect(judged(purpose)).toEqual({ status: 'pending', problem: null });
  }
  expect(judged('SPF', 'some text')).toMatchObject({ status: 'pending' });
});
