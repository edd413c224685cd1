/** Programs written for Twilio, with its official library for Node (twilio 6.2.0) and another base address. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import sdk from 'twilio';
import { freshNumber } from '../support/numbers.js';
import { type Customer, useSystem, wrongCodeFor } from '../support/suite.js';

const suite = useSystem();
let customer: Customer;
let account: string;

const sid = (kind: string, id: string) => `${kind}${id.replaceAll('-', '')}`;

/** Returns a client as the guide configures it. */
function clientOf(by: Customer, key = by.liveKey) {
  const client = sdk(sid('AC', by.id), key);
  client.verify.baseUrl = `${suite.http.baseUrl}/twilio`;
  client.api.baseUrl = `${suite.http.baseUrl}/twilio`;
  return client;
}

function verifyOf(by: Customer) {
  return clientOf(by).verify.v2.services(sid('VA', by.id));
}

const codeIn = (text: string) => /\d{6}/.exec(text)![0];

const rejected = (code: number, status: number) =>
  expect.objectContaining({
    code,
    status,
    moreInfo: `https://www.twilio.com/docs/errors/${code}`,
  });

beforeAll(async () => {
  customer = await suite.customer({ credits: 5_000 });
  account = sid('AC', customer.id);
});

describe('Twilio Verify', () => {
  it('a code is sent, a wrong one is pending, the right one is approved, and then it is gone', async () => {
    const verify = verifyOf(customer);
    const to = freshNumber();
    const sent = await verify.verifications.create({ to, channel: 'sms', locale: 'fr' });
    expect(sent).toMatchObject({
      accountSid: account,
      serviceSid: sid('VA', customer.id),
      to,
      channel: 'sms',
      status: 'pending',
      valid: false,
    });
    expect(sent.sid).toMatch(/^VE[0-9a-f]{32}$/);
    const [arrived] = await suite.handsetWith(1, to);
    expect(arrived!.body).toContain('code');
    const code = codeIn(arrived!.body);
    const wrong = await verify.verificationChecks.create({ to, code: wrongCodeFor(code) });
    expect(wrong).toMatchObject({ sid: sent.sid, status: 'pending', valid: false });
    expect(await verify.verifications(sent.sid).fetch()).toMatchObject({ to, status: 'pending' });
    // As people type it.
    const typed = [...code].join(' ');
    const checked = { verificationSid: sent.sid, code: typed };
    const right = await verify.verificationChecks.create(checked);
    expect(right).toMatchObject({ sid: sent.sid, status: 'approved', valid: true });
    const again = verify.verificationChecks.create({ to, code });
    await expect(again).rejects.toEqual(rejected(20_404, 404));
    await expect(verify.verifications(sent.sid).fetch()).rejects.toEqual(rejected(20_404, 404));
  });

  it('a second send to a number keeps the verification and its code, as at Twilio', async () => {
    const verify = verifyOf(customer);
    const to = freshNumber();
    const first = await verify.verifications.create({ to, channel: 'sms' });
    const [before] = await suite.handsetWith(1, to);
    const second = await verify.verifications.create({ to, channel: 'sms' });
    expect(second.sid).toBe(first.sid);
    expect(second.sendCodeAttempts).toHaveLength(2);
    const [, after] = await suite.handsetWith(2, to);
    expect(codeIn(after!.body)).toBe(codeIn(before!.body));
  });

  it('20404: a verification is not checked under another number', async () => {
    const verify = verifyOf(customer);
    const to = freshNumber();
    const { sid: verificationSid } = await verify.verifications.create({ to, channel: 'sms' });
    const [arrived] = await suite.handsetWith(1, to);
    const code = codeIn(arrived!.body);
    const other = { verificationSid, to: freshNumber(), code };
    const foreign = verify.verificationChecks.create(other);
    await expect(foreign).rejects.toEqual(rejected(20_404, 404));
    // As it is copied from a page: with marks of direction that nobody sees.
    const own = { verificationSid, to: `\u202a${to}\u202c`, code };
    expect(await verify.verificationChecks.create(own)).toMatchObject({ status: 'approved' });
  });

  it('60203: more sends to a number than its limit allows', async () => {
    const verify = verifyOf(customer);
    const to = freshNumber();
    for (let send = 0; send < 3; send += 1)
      await verify.verifications.create({ to, channel: 'sms' });
    const more = verify.verifications.create({ to, channel: 'sms' });
    await expect(more).rejects.toEqual(rejected(60_203, 429));
  });

  it('60202: more checks of a code than it allows', async () => {
    const verify = verifyOf(customer);
    const to = freshNumber();
    await verify.verifications.create({ to, channel: 'sms' });
    const [arrived] = await suite.handsetWith(1, to);
    const code = wrongCodeFor(codeIn(arrived!.body));
    for (let check = 0; check < 5; check += 1) await verify.verificationChecks.create({ to, code });
    const more = verify.verificationChecks.create({ to, code });
    await expect(more).rejects.toEqual(rejected(60_202, 429));
  });

  it('a cancelled verification is canceled, then gone', async () => {
    const verify = verifyOf(customer);
    const to = freshNumber();
    const { sid: sent } = await verify.verifications.create({ to, channel: 'sms' });
    const cancelled = await verify.verifications(sent).update({ status: 'canceled' });
    expect(cancelled).toMatchObject({ sid: sent, status: 'canceled', valid: false });
    await expect(verify.verifications(sent).fetch()).rejects.toEqual(rejected(20_404, 404));
  });

  it('the one service of a workspace is listed and fetched; another one cannot be made', async () => {
    const { verify } = clientOf(customer);
    const [service] = await verify.v2.services.list();
    expect(service).toMatchObject({ sid: sid('VA', customer.id), codeLength: 6 });
    expect(await verify.v2.services(service!.sid).fetch()).toMatchObject({ accountSid: account });
    const created = verify.v2.services.create({ friendlyName: 'Another' });
    await expect(created).rejects.toEqual(rejected(20_004, 405));
  });

  it.each([
    ['60200: a number that is none', { to: '12', channel: 'sms' }, 60_200, 400],
    ['60223: a call', { to: '+2348031234567', channel: 'call' }, 60_223, 400],
    [
      '60200: a language without a text',
      { to: '+2348031234567', channel: 'sms', locale: 'de' },
      60_200,
      400,
    ],
    [
      '60200: a code of the caller',
      { to: '+2348031234567', channel: 'sms', customCode: '123456' },
      60_200,
      400,
    ],
  ])('%s is refused, not guessed', async (_, input, code, status) => {
    const sent = verifyOf(customer).verifications.create(input);
    await expect(sent).rejects.toEqual(rejected(code, status));
  });

  it("20404: another workspace's service and verification do not exist", async () => {
    const other = await suite.customer({ credits: 100 });
    const mine = await verifyOf(customer).verifications.create({
      to: freshNumber(),
      channel: 'sms',
    });
    const foreign = verifyOf(other).verifications(mine.sid).fetch();
    await expect(foreign).rejects.toEqual(rejected(20_404, 404));
    const service = clientOf(other).verify.v2.services(sid('VA', customer.id)).fetch();
    await expect(service).rejects.toEqual(rejected(20_404, 404));
  });

  it('20003: a password that is no key', async () => {
    const { verify } = clientOf(customer, 'nothing');
    const fetched = verify.v2.services(sid('VA', customer.id)).fetch();
    await expect(fetched).rejects.toEqual(rejected(20_003, 401));
  });
});

describe('Twilio Messaging', () => {
  it('a text is queued, delivered and fetched', async () => {
    const { messages } = clientOf(customer);
    const to = freshNumber();
    const messagingServiceSid = sid('MG', customer.id);
    const sent = await messages.create({
      to,
      messagingServiceSid,
      body: 'Your order has shipped.',
    });
    expect(sent).toMatchObject({
      accountSid: account,
      status: 'queued',
      to,
      body: 'Your order has shipped.',
      numSegments: '1',
      direction: 'outbound-api',
      errorCode: null,
    });
    await customer.smsWith('delivered', [sent.sid.slice(2)].map(uuidOf)[0]!);
    const fetched = await messages(sent.sid).fetch();
    expect(fetched).toMatchObject({ sid: sent.sid, status: 'delivered' });
    expect(fetched.dateSent).toBeInstanceOf(Date);
  });

  it.each([
    ['21211: a number that is none', { to: '+12', body: 'Hello' }, 21_211],
    ['21617: a body of 1601 characters', { to: '+2348031234567', body: 'a'.repeat(1_601) }, 21_617],
    [
      '20001: media',
      { to: '+2348031234567', body: 'Hello', mediaUrl: ['https://example.com/a.png'] },
      20_001,
    ],
    [
      '20001: a status callback',
      { to: '+2348031234567', body: 'Hello', statusCallback: 'https://example.com' },
      20_001,
    ],
  ])('%s is refused', async (_, input, code) => {
    const messagingServiceSid = sid('MG', customer.id);
    const sent = clientOf(customer).messages.create({ messagingServiceSid, ...input });
    await expect(sent).rejects.toEqual(rejected(code, 400));
  });

  it('messages to a number are listed, newest first, over several pages', async () => {
    const { messages } = clientOf(customer);
    const to = freshNumber();
    const messagingServiceSid = sid('MG', customer.id);
    const sids: string[] = [];
    for (const body of ['One', 'Two', 'Three']) {
      sids.unshift((await messages.create({ to, messagingServiceSid, body })).sid);
    }
    const listed = await messages.list({ to, pageSize: 2 });
    expect(listed.map((one) => one.sid)).toEqual(sids);
    expect(listed.map(({ body }) => body)).toEqual(['Three', 'Two', 'One']);
    expect(await messages.list({ to, limit: 1 })).toHaveLength(1);
    const other = await suite.customer({ credits: 100 });
    expect(await clientOf(other).messages.list({ to })).toEqual([]);
  });

  it.each([
    ['a time of sending', { dateSentAfter: new Date(0) }],
    ['a number that is none', { to: 'me' }],
    ['a phone number as sender', { from: '+15005550006' }],
  ])('20001: a list by %s is refused', async (_, query) => {
    const listed = clientOf(customer).messages.list(query);
    await expect(listed).rejects.toEqual(rejected(20_001, 400));
  });

  it('20004: records are neither changed nor deleted', async () => {
    const one = clientOf(customer).messages(`SM${'0'.repeat(32)}`);
    await expect(one.remove()).rejects.toEqual(rejected(20_004, 405));
    await expect(one.update({ body: '' })).rejects.toEqual(rejected(20_004, 405));
  });

  it('21212: a phone number is no sender ID', async () => {
    const input = { to: freshNumber(), from: '+15005550006', body: 'Hello' };
    await expect(clientOf(customer).messages.create(input)).rejects.toEqual(rejected(21_212, 400));
  });
});

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
