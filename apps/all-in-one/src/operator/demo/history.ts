import { asId, idFloor, type WorkspaceId } from '@watchword/contracts';
import { randomFrom } from './random.js';

/** Rows of each table, as they would be had the messages been sent on these days. */
export interface History {
  messages: object[];
  attempts: object[];
  entries: object[];
  events: object[];
  balance: number;
  purchased: number;
}

const DAYS = 7;
const HOUR_MS = 3_600_000;
/** Messages in each hour of a day, of which the code draws around. */
const PER_HOUR = [1, 1, 0, 0, 1, 2, 4, 7, 9, 10, 9, 9, 10, 9, 8, 8, 9, 10, 11, 9, 6, 4, 3, 2];
const PURCHASED = 50_000;
const SEED = 20_261_128;

interface Place {
  country: string;
  network: string;
  prefix: string;
  carriers: readonly [string, string];
  weight: number;
}

const PLACES: readonly Place[] = [
  {
    country: 'NG',
    network: 'mtn_ng',
    prefix: '+234803',
    carriers: ['termii', 'infobip'],
    weight: 6,
  },
  {
    country: 'NG',
    network: 'airtel_ng',
    prefix: '+234802',
    carriers: ['termii', 'infobip'],
    weight: 3,
  },
  {
    country: 'KE',
    network: 'safaricom_ke',
    prefix: '+254712',
    carriers: ['africas_talking', 'infobip'],
    weight: 3,
  },
  {
    country: 'GH',
    network: 'mtn_gh',
    prefix: '+233244',
    carriers: ['infobip', 'twilio'],
    weight: 1,
  },
];

type End = 'verified' | 'delivered' | 'expired' | 'failed';

interface Failure {
  reason: string;
  code: string;
  text: string;
}

/** What carriers answered, with the reason that the product reads in it. */
const FAILURES: readonly Failure[] = [
  { reason: 'absent_subscriber', code: '27', text: 'Absent Subscriber' },
  { reason: 'unknown_subscriber', code: '1', text: 'Unknown Subscriber' },
  { reason: 'dnd_active', code: 'DND', text: 'DND Active on Number' },
];

type Random = ReturnType<typeof randomFrom>;

/**
 * Draws a week that ends an hour before `now`: more by day than by night, a carrier that is out for an hour, codes that are
 * verified or expire, texts that fail and are refunded.
 */
export function drawHistory(
  workspaceId: WorkspaceId,
  prices: ReadonlyMap<string, number>,
  now: number,
): History {
  const random = randomFrom(SEED);
  const start = Math.floor(now / HOUR_MS) * HOUR_MS - DAYS * 24 * HOUR_MS;
  const writer = new Writer(workspaceId, random);
  writer.topUp(start - HOUR_MS, PURCHASED);
  const moments: number[] = [];
  for (let hour = 0; hour < DAYS * 24 - 1; hour += 1) {
    const at = start + hour * HOUR_MS;
    const usual = PER_HOUR[new Date(at).getUTCHours()] ?? 0;
    const count = Math.round(usual * (0.6 + random.share() * 0.8));
    for (let one = 0; one < count; one += 1) moments.push(at + random.below(HOUR_MS));
  }
  for (const at of moments.toSorted((a, b) => a - b)) writer.message(at, prices);
  return writer.finish();
}

class Writer {
  private readonly history: History;
  private order = 1_042;
  /** Entries and events are numbered by their times at the end. */
  private readonly entries: { at: number; row: Record<string, unknown>; credits: number }[] = [];
  private readonly events: { at: number; row: Record<string, unknown>; body: object }[] = [];

  constructor(
    private readonly workspaceId: WorkspaceId,
    private readonly random: Random,
  ) {
    this.history = {
      messages: [],
      attempts: [],
      entries: [],
      events: [],
      balance: 0,
      purchased: 0,
    };
  }

  topUp(at: number, credits: number): void {
    const row = { kind: 'top_up', top_up_kind: 'purchase', note: 'Bank transfer ACME/0000417' };
    this.entries.push({ at, row, credits });
    this.history.purchased += credits;
  }

  message(at: number, prices: ReadonlyMap<string, number>): void {
    const { random } = this;
    const place = random.weighted(PLACES, ({ weight }) => weight);
    const kind = random.share() < 0.6 ? 'otp' : 'sms';
    const end = endOf(kind, random.share());
    const id = this.idAt(at);
    const credits = prices.get(place.country) ?? 0;
    const phone = `${place.prefix}${String(random.below(10_000_000)).padStart(7, '0').slice(0, phoneDigits(place))}`;
    const sentAt = at + 200 + random.below(1_800);
    const endedAt = sentAt + 1_000 + random.below(14_000);
    const failure = end === 'failed' ? random.of(FAILURES) : undefined;
    const provider = this.attempts(id, place, at, failure);
    const rule = `country:${place.country}@1`;
    const money = { message_id: id, channel: kind, country_code: place.country };
    this.entries.push({
      at,
      row: { kind: 'charge', price_rule: rule, ...money },
      credits: -credits,
    });
    if (failure)
      this.entries.push({ at: endedAt + 50, row: { kind: 'refund', ...money }, credits });
    const own = kind === 'otp' ? this.code(at, endedAt, end) : this.text();
    this.history.messages.push({
      ...{ id, workspace_id: this.workspaceId, kind, family: 'a', test_mode: false },
      ...{ destination: phone, country_code: place.country, network: place.network },
      ...{ rewritten: false, encoding: 'GSM-7', segments: 1, credits, price_rule: rule },
      ...{ metadata: {}, created_at: iso(at), state: end, version: 3, provider },
      provider_message_id: this.idAt(sentAt),
      ...(failure && { reason: failure.reason, refunded: true, settled_at: iso(endedAt + 50) }),
      ...{ sent_at: iso(sentAt), updated_at: iso(endedAt), price_amount: 100 },
      delivered_at: failure ? null : iso(endedAt),
      ...(end !== 'delivered' && { ended_at: iso(endedAt) }),
      ...{ price_currency: 'NGN', resend_max: 0 },
      ...own,
    });
    this.announce(id, kind, { phone, country: place.country, credits }, 'sent', sentAt);
    const passed = end === 'verified' || end === 'expired' ? ['delivered', end] : [end];
    for (const status of passed) {
      const later = status === 'delivered' ? 0 : 20_000;
      this.announce(id, kind, { phone, country: place.country, credits }, status, endedAt + later);
    }
  }

  finish(): History {
    let balance = 0;
    this.entries.sort((a, b) => a.at - b.at);
    this.history.entries = this.entries.map(({ at, row, credits }, index) => {
      balance += credits;
      const fixed = { id: this.idAt(at), workspace_id: this.workspaceId, ordinal: index + 1 };
      return { ...fixed, ...row, credits, balance_after: balance, created_at: iso(at) };
    });
    this.history.balance = balance;
    this.events.sort((a, b) => a.at - b.at);
    this.history.events = this.events.map(({ at, row, body }, index) => ({
      ...{ id: `evt_${this.idAt(at).replaceAll('-', '')}`, sequence: index + 1 },
      ...{ workspace_id: this.workspaceId, family: 'a', test_mode: false, occurred_at: iso(at) },
      ...row,
      variant_a_body: JSON.stringify({ ...body, sequence: index + 1 }),
    }));
    return this.history;
  }

  /** The first carrier is out for an hour on each day at 14:00 UTC, so that the second one sends. */
  private attempts(id: string, place: Place, at: number, failure: Failure | undefined): string {
    const isOut = new Date(at).getUTCHours() === 14;
    const tries = isOut ? [place.carriers[0], place.carriers[1]] : [place.carriers[0]];
    for (const [index, provider] of tries.entries()) {
      const isLast = index === tries.length - 1;
      const started = at + 40 + index * 120;
      this.history.attempts.push({
        ...{ message_id: id, number: index + 1, provider, started_at: iso(started) },
        ...{ finished_at: iso(started + 90), late_delivery: false, resend: 0 },
        ...{ was_ambiguous: false, outcome: isLast ? 'accepted' : 'refused' },
        ...(isLast && failure
          ? { reason: failure.reason, raw_code: failure.code, raw_message: failure.text }
          : {}),
        ...(!isLast && {
          ...{ reason: 'provider_unavailable', raw_code: '503' },
          raw_message: 'Service Unavailable',
        }),
      });
    }
    return tries.at(-1) ?? '';
  }

  private code(at: number, endedAt: number, end: End): object {
    const isVerified = end === 'verified';
    return {
      ...{ code_length: 6, ttl_seconds: 600, expires_at: iso(at + 600_000), language: 'en' },
      ...{ brand: 'Acme Shop', max_attempts: 5, attempt_count: isVerified ? 1 : 0 },
      // No code has this hash, so none of these can be verified.
      code_hash: 'demo',
      ...(isVerified && { verified_at: iso(endedAt + 20_000) }),
    };
  }

  private text(): object {
    this.order += 1;
    return {
      sender_id: 'Acme',
      body: `Acme: your order ${this.order} is on its way and arrives today.`,
    };
  }

  private announce(
    id: string,
    kind: string,
    of: { phone: string; country: string; credits: number },
    status: string,
    at: number,
  ): void {
    const type = `${kind}.${status}`;
    const names = { id, phone_number: of.phone, country_code: of.country };
    const data = { ...names, status, credit_cost: of.credits };
    const body = { event: type, timestamp: `${iso(at).slice(0, 19)}Z`, data };
    this.events.push({ at, row: { variant_a_type: type, message_id: id }, body });
  }

  /** An id as it is drawn at a time. */
  private idAt(at: number): string {
    const digits = this.random.digits(18);
    return asId(
      `${idFloor(at).slice(0, 15)}${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6)}`,
    );
  }
}

function endOf(kind: 'otp' | 'sms', share: number): End {
  if (share > 0.96) return 'failed';
  if (kind === 'sms') return 'delivered';
  return share < 0.83 ? 'verified' : 'expired';
}

const phoneDigits = ({ country }: Place) => (country === 'NG' ? 7 : 6);
const iso = (at: number) => new Date(at).toISOString();
