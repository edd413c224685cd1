/**
 * Tests that every adapter must pass. `tests/providers` runs them against the carrier simulator,
 * which shares no code with the adapters and fails on request. HTTP statuses stand for what a
 * carrier without HTTP says in its own words.
 */
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asId, PHONE_KINDS, type PhoneKind, type Reason } from '@watchword/contracts';
import { measureSegments } from '@watchword/telephony';
import type { SubmitDeadlines } from './http/outcome.policy.js';
import {
  type CallbackReader,
  type CarrierCallback,
  type CarrierInbound,
  type CarrierReport,
  forAllKinds,
  type Provider,
  type SubmitOutcome,
  type SubmitRequest,
} from './provider.port.js';

export type PeerBehaviour =
  | { kind: 'accept' }
  | { kind: 'refuse'; code: string }
  | { kind: 'http_status'; status: number }
  | { kind: 'throttle'; retryAfterSeconds: number }
  | { kind: 'hang' | 'reset' | 'garbage' | 'accept_then_lose_answer' };

export interface PeerMessage {
  to: string;
  from: string;
  body: string;
}

export interface CarrierPeer {
  readonly baseUrl: string;
  play(behaviour: PeerBehaviour): Promise<void>;
  /** Accepted messages, oldest first. */
  messages(): Promise<PeerMessage[]>;
  close(): Promise<void>;
}

export interface ProviderSubject {
  openPeer(): Promise<CarrierPeer>;
  createProvider(baseUrl: string, deadlines: SubmitDeadlines): Provider | Promise<Provider>;
  /** Creates a provider with credentials that the peer does not know. */
  createWithWrongCredentials(baseUrl: string): Provider | Promise<Provider>;
  defaultSenderId: string;
  /** Whether we choose the carrier's id of an attempt, so that a repeated one has the same. */
  idIsOurs?: boolean;
  /** Texts that must never appear in an outcome. */
  secrets: readonly string[];
  /** The wait after a throttling, in milliseconds. Absent where the carrier names it. */
  throttledForMs?: number;
  refusals: ReadonlyArray<readonly [code: string, reason: Reason]>;
  unknownCode: string;
}

export interface CallbackSubject {
  read: CallbackReader;
  good: ReadonlyArray<{ title: string; callback: CarrierCallback; report: CarrierReport }>;
  /** Absent for a carrier without inbound messages. */
  inbound?: ReadonlyArray<{
    title: string;
    callback: CarrierCallback;
    /** Null for a message that is answered and not passed on. */
    message: CarrierInbound | null;
  }>;
  forged: ReadonlyArray<{ title: string; callback: CarrierCallback }>;
  malformed: ReadonlyArray<{ title: string; callback: CarrierCallback }>;
}

/** Deadlines for tests that are not about time, so that a busy machine changes nothing. */
const PATIENT: SubmitDeadlines = forAllKinds(60_000);
/** Milliseconds. On a slow machine a submit is not even written before the first of them. */
const SHORT_DEADLINES_MS = [250, 2_000, 20_000];
/** Milliseconds. Longer than a test may take. */
const ENDLESS_MS = 600_000;

export const SAMPLE: SubmitRequest = {
  messageId: asId('0197f3a2-7c1e-7d55-9a31-2f4b8c6d0e12'),
  attempt: 1,
  kind: 'otp',
  destination: '+2348031234567',
  senderId: 'Acme',
  body: 'Your Acme code is 482913. It expires in 10 minutes.',
  encoding: 'GSM-7',
  segments: 1,
  validitySeconds: 600,
};

const TEXTS: ReadonlyArray<readonly [title: string, sent: string, received?: string]> = [
  ['plain', 'Hello'],
  ['emoji', 'Order shipped 🎉 👨‍👩‍👧‍👦'],
  ['currency signs', '€15 or £3 or ₦5,000'],
  ['line ends', 'Your code is 482913.\n\n@app.example.com #482913\r\nBye'],
  ['what forms and JSON escape', `a=b&c+d%20;"quoted" \\ back\\slash 'x' {}[]~^|`],
  ['scripts', 'Ẹ kú àárọ̀ 日本語 שלום'],
  ['half a surrogate pair', 'broken \ud83d pair', 'broken \ufffd pair'],
  ['the longest there is', 'A'.repeat(1_600)],
];

export function testProviderContract(name: string, subject: ProviderSubject): void {
  describe(`${name} keeps the provider contract`, () => {
    let peer: CarrierPeer;
    let provider: Provider;

    beforeEach(async () => {
      peer = await subject.openPeer();
      provider = await subject.createProvider(peer.baseUrl, PATIENT);
    });
    afterEach(async () => {
      await provider.stop();
      await peer.close();
    });

    const submit = async (request: Partial<SubmitRequest> = {}): Promise<SubmitOutcome> => {
      const outcome = await provider.submit({ ...SAMPLE, ...request });
      expectNothingLeaks(outcome, subject.secrets);
      return outcome;
    };

    /** Submits what the peer gets before a deadline for its kind, and does not answer. */
    const submitUnanswered = async (kind: PhoneKind): Promise<SubmitOutcome> => {
      for (const deadlineMs of SHORT_DEADLINES_MS) {
        await provider.stop();
        const deadlines = { ...forAllKinds(ENDLESS_MS), [kind]: deadlineMs };
        provider = await subject.createProvider(peer.baseUrl, deadlines);
        const outcome = await submit({ kind });
        if (outcome.outcome !== 'refused' || outcome.rawCode !== 'DEADLINE') return outcome;
      }
      throw new Error('no submit was written before its deadline');
    };

    it('a submit hands the message over once and returns the carrier’s id', async () => {
      await expect(submit()).resolves.toEqual(accepted);
      const { destination: to, senderId: from, body } = SAMPLE;
      expect(await peer.messages()).toEqual([{ to, from, body }]);
    });

    it.each(TEXTS)(
      'a submit keeps its text unchanged: %s',
      async (_title, sent, received = sent) => {
        // A long text may have ids of its parts, too.
        const { encoding } = measureSegments(sent);
        const outcome = submit({ body: sent, kind: 'sms', encoding });
        await expect(outcome).resolves.toMatchObject(accepted);
        expect((await peer.messages()).map(({ body }) => body)).toEqual([received]);
      },
    );

    it.each(['+2290197123456', '+14155550123', '+447700900123', '+23058123456'])(
      'a submit to %s reaches that number',
      async (destination) => {
        await expect(submit({ destination })).resolves.toEqual(accepted);
        expect((await peer.messages()).map(({ to }) => to)).toEqual([destination]);
      },
    );

    it.each([0, 0.5, 1, 600, 36_000, 10_000_000])(
      'a submit with a validity of %d s is accepted',
      async (validitySeconds) => {
        await expect(submit({ validitySeconds })).resolves.toEqual(accepted);
      },
    );

    it('a message without a sender has the default sender of the account', async () => {
      await expect(submit({ senderId: null })).resolves.toEqual(accepted);
      expect((await peer.messages()).map(({ from }) => from)).toEqual([subject.defaultSenderId]);
    });

    it('parallel submits have different ids', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          submit(subject.idIsOurs ? { attempt: index + 1 } : {}),
        ),
      );
      const ids = outcomes.map((outcome) =>
        outcome.outcome === 'accepted' ? outcome.providerMessageId : outcome.outcome,
      );
      expect(new Set(ids).size).toBe(100);
      expect(await peer.messages()).toHaveLength(100);
    });

    it.each(subject.refusals)('a refusal with the code %s means %s', async (code, reason) => {
      await peer.play({ kind: 'refuse', code });
      await expect(submit()).resolves.toMatchObject({ outcome: 'refused', reason, rawCode: code });
      expect(await peer.messages()).toEqual([]);
    });

    it('a refusal with an unknown code means unknown_error', async () => {
      const code = subject.unknownCode;
      await peer.play({ kind: 'refuse', code });
      await expect(submit()).resolves.toMatchObject(refused('unknown_error', code));
    });

    it('a throttled submit has the wait that the carrier names', async () => {
      await peer.play({ kind: 'throttle', retryAfterSeconds: 2 });
      await expect(submit()).resolves.toMatchObject({
        ...refused('throttled'),
        retryAfterMs: subject.throttledForMs ?? 2_000,
      });
    });

    it.each([500, 502, 503, 504])(
      'HTTP %d means that the message was not accepted',
      async (status) => {
        await peer.play({ kind: 'http_status', status });
        await expect(submit()).resolves.toMatchObject(refused('provider_unavailable'));
      },
    );

    it.each([401, 403])('HTTP %d means a fault of the account', async (status) => {
      await peer.play({ kind: 'http_status', status });
      await expect(submit()).resolves.toMatchObject(refused('provider_rejected'));
    });

    it('a submit with wrong credentials is refused', async () => {
      const wrong = await subject.createWithWrongCredentials(peer.baseUrl);
      await expect(wrong.submit(SAMPLE)).resolves.toMatchObject(refused('provider_rejected'));
      await wrong.stop();
    });

    it.each(PHONE_KINDS)('an %s without an answer is ambiguous at its deadline', async (kind) => {
      await peer.play({ kind: 'hang' });
      expect(await submitUnanswered(kind)).toMatchObject(ambiguous('DEADLINE'));
    });

    it.each(['reset', 'garbage'] as const)(
      'a submit that meets a %s is ambiguous',
      async (kind) => {
        await peer.play({ kind });
        await expect(submit()).resolves.toMatchObject(ambiguous());
      },
    );

    it('a submit without an answer is not sent again', async () => {
      await peer.play({ kind: 'accept_then_lose_answer' });
      await expect(submit()).resolves.toMatchObject(ambiguous());
      expect(await peer.messages()).toHaveLength(1);
    });

    it.each([
      ['an unknown host', () => 'http://carrier.invalid'],
      ['a port nobody listens on', unusedUrl],
      ['a server without TLS', () => peer.baseUrl.replace('http:', 'https:')],
    ])('a submit to %s is refused and not ambiguous', async (_title, urlOf) => {
      const lost = await subject.createProvider(await urlOf(), PATIENT);
      await expect(lost.submit(SAMPLE)).resolves.toMatchObject(refused('provider_unavailable'));
      await lost.stop();
      expect(await peer.messages()).toEqual([]);
    });
  });
}

export function testCallbackContract(name: string, subject: CallbackSubject): void {
  describe(`${name} keeps the callback contract`, () => {
    it.each(subject.good)(
      'a callback is read, and read alike when it comes again: $title',
      (sample) => {
        const { callback, report } = sample;
        const result = { verdict: 'reports', reports: [report] };
        expect(subject.read(callback)).toEqual(result);
        expect(subject.read(callback)).toEqual(result);
      },
    );

    for (const { title, callback, message } of subject.inbound ?? []) {
      it(`an inbound message is read: ${title}`, () => {
        const messages = message === null ? [] : [message];
        expect(subject.read(callback)).toEqual({ verdict: 'inbound', messages });
      });
    }

    // A carrier that signs nothing has no forgeries.
    for (const verdict of ['forged', 'malformed'] as const) {
      for (const { title, callback } of subject[verdict]) {
        it(`a callback is ${verdict}: ${title}`, () => {
          expect(subject.read(callback)).toEqual({ verdict });
        });
      }
    }
  });
}

const accepted = { outcome: 'accepted', providerMessageId: expect.stringMatching(/^[\w-]{16,}$/) };

function refused(reason: Reason, rawCode: unknown = expect.any(String)): Record<string, unknown> {
  return { outcome: 'refused', reason, rawCode };
}

function ambiguous(rawCode: unknown = expect.any(String)): Record<string, unknown> {
  return { outcome: 'ambiguous', rawCode };
}

function expectNothingLeaks(outcome: SubmitOutcome, secrets: readonly string[]): void {
  const { rawMessage = '', rawCode = '' } = { rawMessage: '', rawCode: '', ...outcome };
  const shown = `${rawCode} ${rawMessage}`;
  for (const secret of [...secrets, SAMPLE.body, '482913', '2348031234567', '8031234567']) {
    expect(shown).not.toContain(secret);
  }
}

async function unusedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
