/** Vonage's own SDK against the simulator: where it understands an answer, customers do. */
import { SMS } from '@vonage/sms';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Bench } from './carrier-sim.kit.js';

const ACCOUNT = { apiKey: 'a1b2c3d4', apiSecret: 'secret', signatureSecret: 'sigsecret' };
const MESSAGE = { to: '447400123456', from: 'Acme', text: 'Hello €' };

type Algorithm = Parameters<SMS['verifySignature']>[3];
const ALGORITHMS = Object.entries({
  md5hash: 'MD5HASH',
  md5: 'MD5HMAC',
  sha1: 'SHA1HMAC',
  sha256: 'SHA256HMAC',
  sha512: 'SHA512HMAC',
});

describe('Vonage’s own SDK', () => {
  let bench: Bench;
  let sdk: SMS;
  const sdkOf = (apiSecret: string) =>
    new SMS({ apiKey: ACCOUNT.apiKey, apiSecret }, { restHost: `${bench.simulator.url}/vonage` });
  beforeAll(async () => {
    bench = await Bench.start(20, () => ({ vonage: ACCOUNT }));
    sdk = sdkOf(ACCOUNT.apiSecret);
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  it('sends a text of several parts, and reads the answer', async () => {
    const text = 'A'.repeat(200);
    const { messageCount, messages } = await sdk.send({ ...MESSAGE, text, clientRef: 'ours' });
    expect(Number(messageCount)).toBe(2);
    expect(messages).toMatchObject([
      { to: MESSAGE.to, status: '0', messageId: expect.stringMatching(/^0A/), clientRef: 'ours' },
      { status: '0' },
    ]);
    const { json } = await bench.control('GET', '/messages');
    expect(json).toMatchObject([{ to: `+${MESSAGE.to}`, from: 'Acme', body: text, segments: 2 }]);
  });

  it('throws its own errors for refusals', async () => {
    await expect(sdkOf('wrong').send(MESSAGE)).rejects.toMatchObject({
      response: { messages: [{ status: '4' }] },
    });
    await bench.scenario({ provider: 'vonage', submit: { kind: 'refuse', code: 15 } });
    await expect(sdk.send(MESSAGE)).rejects.toMatchObject({
      response: { messages: [{ status: '15' }] },
    });
  });

  it.each(ALGORITHMS)(
    'takes the signature of a receipt, by the method %s',
    async (method, name) => {
      const account = { ...ACCOUNT, signatureMethod: method };
      const signing = await Bench.start(20, () => ({ vonage: account }));
      const restHost = `${signing.simulator.url}/vonage`;
      const callback = `${signing.receiver.url}/callbacks/vonage/secret`;
      await new SMS(ACCOUNT, { restHost }).send({ ...MESSAGE, callback, clientRef: 'a=b&c' });
      const [receipt] = await signing.receiver.waitFor(1);
      const { sig = '', ...fields } = JSON.parse(receipt!.body) as Record<string, string>;
      const isRight = (secret: string) =>
        sdk.verifySignature(sig, fields, secret, name as Algorithm);
      expect([isRight(ACCOUNT.signatureSecret), isRight('another')]).toEqual([true, false]);
      await signing.close();
    },
  );
});
