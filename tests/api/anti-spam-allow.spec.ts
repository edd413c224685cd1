/** What anti-spam does not judge, by URL. The allow-list of a workspace is the operator's. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { freshNumber, magicNumber } from '../support/numbers.js';
import { type Customer, expectError, unknownId, useSystem } from '../support/suite.js';

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
  it('domain 9.4: passes without a verdict where its sender ID is listed, in any case', async () => {
    await allow({ ...NOTHING, sender_ids: ['ACME'] });
    const record = await ended('delivered', { sender_id: 'Acme' });
    expect(record.antispam).toBeUndefined();
    await ended('blocked', { sender_id: 'Acme2' });
    await ended('blocked', {});
  });

  it('domain 9.4: passes where every link leads to a listed domain', async () => {
    await allow({ ...NOTHING, domains: ['acme.example'] });
    await ended('delivered', {});
    await ended('blocked', { message: PHISHING_ELSEWHERE });
    await ended('blocked', { message: `${PHISHING} or bit.ly/3xY` });
    await ended('blocked', { message: `${URGENT} to jane@acme.example` });
    await ended('blocked', { message: `${URGENT}. Click now to claim your prize of $5,000` });
  });

  it('domain 9.4: passes where it was made from a listed template', async () => {
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

  it('domain 9.4: passes in a quote as in a send', async () => {
    const quoted = async () => {
      const asked = { kind: 'sms', phone_number: freshNumber(), message: PHISHING };
      return (await customer.post('/v1/quote', asked)).json.gates.at(-1).verdict;
    };
    await allow({ ...NOTHING, domains: ['acme.example'] });
    expect(await quoted()).toBe('pass');
    await allow(NOTHING);
    expect(await quoted()).toBe('refuse');
  });

  it('is blocked at the test number for that', async () => {
    await allow({ ...NOTHING, domains: ['acme.example'] });
    const key = customer.testKey;
    const body = { phone_number: magicNumber(40), message: PHISHING };
    const { json } = await customer.sendSms(body, { key });
    await customer.smsWith('blocked', json.id, { key });
  });
});

describe('the allow-list', () => {
  const patch = (lists: object) =>
    suite.operator.request('PATCH', `/workspaces/${customer.id}`, {
      settings: { anti_spam_allow: lists },
    });

  it('is empty at first, and a change of one list keeps the others', async () => {
    const { workspace } = await suite.customer();
    const read = await suite.operator.request('GET', `/workspaces/${workspace.id}`);
    expect(read.json.settings.anti_spam_allow).toEqual(NOTHING);
    await patch({ ...NOTHING, domains: ['acme.example'] });
    const { json } = await patch({ sender_ids: ['Acme'] });
    expect(json.settings.anti_spam_allow).toEqual({
      sender_ids: ['Acme'],
      template_ids: [],
      domains: ['acme.example'],
    });
  });

  it.each([
    ['domains', ['https://acme.example']],
    ['domains', ['acme']],
    ['domains', ['ACME.example']],
    ['domains', ['co.uk']],
    ['domains', ['com.ng']],
    ['sender_ids', ['12345']],
    ['sender_ids', ['Acme!']],
  ])('refuses %s %j', async (name, list) => {
    const field = `settings.anti_spam_allow.${name}`;
    expectError(await patch({ [name]: list }), 400, 'validation_error', field);
  });

  it('has at most 100 entries in each list, and ids of templates in theirs', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `a${index}.example`);
    expect((await patch({ domains: many })).status).toBe(400);
    expect((await patch({ domains: many.slice(1) })).status).toBe(200);
    expect((await patch({ template_ids: ['pin'] })).status).toBe(400);
    expect((await patch({ template_ids: [unknownId], domains: [] })).status).toBe(200);
    expect((await patch({ urls: [] })).status).toBe(400);
  });
});
