/** What anti-spam does not judge, by URL. The allow-list of a workspace is the operator's. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber } from '../support/numbers.js';
import { type Customer, useSystem } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;
let templateId: string;

const URGENT = 'URGENT: your account is blocked. Send your PIN';
const PHISHING = `${URGENT} at https://acme.example/pin`;
const PHISHING_ELSEWHERE = `${URGENT} at https://acme.example.evil.example/pin`;

const allow = (lists: Record<string, string[]>) => customer.settings({ anti_spam_allow: lists });
const NOTHING = { sender_ids: [], template_ids: [], domains: [] };

beforeAll(async () => {
  customer = await suite.customer({ settings: { anti_spam: 'block' } });
  const made = await customer.post('/v1/sms-templates', { name: 'pin', body: '{{ text }}' });
  templateId = made.json.id;
});

/** Returns the record once the message has ended. */
async function ended(status: 'delivered' | 'blocked', body: Record<string, unknown>) {
  const { json } = await customer.sendSms({ message: PHISHING, ...body });
  return customer.smsWith(status, json.id);
}

describe('a text that anti-spam would block', () => {
  it('domain 9.4: a text that anti-spam would block passes without a verdict where its sender ID is listed, in any case', async () => {
    await allow({ ...NOTHING, sender_ids: ['ACME'] });
    const record = await ended('delivered', { sender_id: 'Acme' });
    expect(record.antispam).toBeUndefined();
    await ended('blocked', { sender_id: 'Acme2' });
    await ended('blocked', {});
  });

  it('domain 9.4: a text that anti-spam would block passes where every link leads to a listed domain', async () => {
    await allow({ ...NOTHING, domains: ['acme.example'] });
    await ended('delivered', {});
    await ended('blocked', { message: PHISHING_ELSEWHERE });
    await ended('blocked', { message: `${PHISHING} or bit.ly/3xY` });
    await ended('blocked', { message: `${URGENT} to jane@acme.example` });
    await ended('blocked', { message: `${URGENT}. Click now to claim your prize of $5,000` });
  });

  it('domain 9.4: a text that anti-spam would block passes where it was made from a listed template', async () => {
    await allow({ ...NOTHING, template_ids: [templateId] });
    const sent = await customer.post('/v1/sms', {
      ...{ to: freshNumber(), from: 'Acme' },
      ...{ template: templateId, variables: { text: PHISHING } },
    });
    await customer.smsWith('delivered', sent.json.id);
    const plain = await customer.post('/v1/sms', {
      to: freshNumber(),
      from: 'Acme',
      body: PHISHING,
    });
    await customer.smsWith('rejected', plain.json.id);
  });
});
