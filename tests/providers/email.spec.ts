/**
 * The carriers of email against the simulator, which shares no code with them: one contract for
 * both, then what only SES has.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EmailOutcome } from '@watchword/carriers';
import { EMAIL, EmailSimulator, type Name, raw, SES } from './email-simulator.kit.ts';

let simulator: EmailSimulator;

beforeAll(async () => {
  simulator = await EmailSimulator.start();
});

beforeEach(() => simulator.clear());

afterAll(() => simulator?.close());

describe.each<Name>(['smtp', 'ses'])('%s', (name) => {
  const submits = async (submit: object, deadlineMs = 20_000): Promise<EmailOutcome> => {
    await simulator.play(name, submit);
    let outcome: EmailOutcome | undefined;
    await simulator.using(name, async (provider) => {
      outcome = await provider.submit({ ...EMAIL, deadlineMs });
    });
    return outcome!;
  };

  it('hands over the bytes that it was given', async () => {
    expect(await submits({ kind: 'accept' })).toMatchObject({
      outcome: 'accepted',
      delivered: false,
    });
    const [email] = await simulator.control('GET', '/emails');
    expect(email).toMatchObject({ provider: name, to: EMAIL.to, raw: raw.toString() });
  });

  it.each([
    [{ kind: 'throttle' }, name === 'smtp' ? 'deferred' : 'refused', 0],
    [{ kind: 'http_status', status: 503 }, name === 'smtp' ? 'deferred' : 'refused', 0],
    [{ kind: 'refuse' }, name === 'smtp' ? 'bounced' : 'rejected', 0],
    [{ kind: 'accept_then_lose_answer' }, 'ambiguous', 1],
  ])('%j is %s', async (submit, outcome, taken) => {
    const isRefused = outcome === 'refused';
    expect(await submits(submit)).toMatchObject(
      isRefused ? { outcome, temporary: true } : { outcome },
    );
    expect(await simulator.control('GET', '/emails')).toHaveLength(taken);
  });

  it('calls it ambiguous when the answer does not come in time', async () => {
    expect(await submits({ kind: 'hang' }, 500)).toMatchObject({ outcome: 'ambiguous' });
  });

  it('is refused where nothing listens', async () => {
    const elsewhere: Record<string, string> =
      name === 'smtp' ? { port: '9' } : { baseUrl: 'http://127.0.0.1:9' };
    await simulator.using(
      name,
      async (provider) => {
        expect(await provider.submit(EMAIL)).toMatchObject({ outcome: 'refused', temporary: true });
      },
      elsewhere,
    );
  });

  it('never shows its credentials', async () => {
    await simulator.using(name, async (provider) => {
      await simulator.play(name, { kind: 'refuse' });
      const text = JSON.stringify(await provider.submit(EMAIL));
      expect(text).not.toContain(SES.secretAccessKey);
    });
  });
});

describe('SES', () => {
  it.each([
    ['MessageRejected', 'rejected'],
    ['BadRequestException', 'rejected'],
    ['AccountSuspendedException', 'refused'],
    ['SendingPausedException', 'refused'],
    ['MailFromDomainNotVerifiedException', 'refused'],
    ['LimitExceededException', 'refused'],
    ['AnythingElseException', 'refused'],
  ])('%s is %s', async (code, outcome) => {
    await simulator.play('ses', { kind: 'refuse', code });
    await simulator.using('ses', async (provider) => {
      expect(await provider.submit(EMAIL)).toMatchObject({ outcome, rawCode: code });
    });
  });

  it.each([500, 502, 504])('HTTP %i says nothing of what it did before', async (status) => {
    await simulator.play('ses', { kind: 'http_status', status });
    await simulator.using('ses', async (provider) => {
      expect(await provider.submit(EMAIL)).toMatchObject({ outcome: 'ambiguous' });
    });
  });

  it.each([
    ['secretAccessKey', 'wrong'],
    ['accessKeyId', 'AKIAAAAAAAAAAAAAAAAA'],
    ['region', 'us-east-1'],
    ['configurationSet', 'unknown'],
  ])('refuses another %s', async (key, value) => {
    await simulator.using(
      'ses',
      async (provider) => {
        expect(await provider.submit(EMAIL)).toMatchObject({ outcome: 'refused' });
      },
      { [key]: value },
    );
    expect(await simulator.control('GET', '/emails')).toEqual([]);
  });
});
