import type { CarrierInbound } from '../provider.port.js';
import type { TextPart } from './receipt.js';

/** Milliseconds since its latest part for which a text is awaited. */
const LIFE_MS = 60_000;
/** Texts that wait for parts. A further one takes the place of the oldest. */
const TEXTS_MAX = 500;
/** Parts of a text, and characters of a part. More of either is no message of a handset. */
const PARTS_MAX = 20;
const PART_CHARACTERS_MAX = 255;

interface Waiting {
  readonly parts: Map<number, string>;
  untilMs: number;
}

/** A text of which all parts are there. `forget`, once it is on record. */
export interface WholeText {
  readonly message: CarrierInbound;
  forget(): void;
}

/**
 * Puts long texts of handsets together, in memory: those that are not whole when the process stops
 * are lost. A carrier that sends parts to several processes never makes a text whole.
 */
export class InboundParts {
  /** Those with the oldest latest part come first. */
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly dropped: (count: number) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get size(): number {
    return this.waiting.size;
  }

  /** Returns the text if this part makes it whole. Repeated parts count once. */
  add(message: CarrierInbound, { reference, total, number }: TextPart): WholeText | null {
    if (total > PARTS_MAX || message.body.length > PART_CHARACTERS_MAX) {
      this.dropped(1);
      return null;
    }
    this.dropWhile(({ untilMs }) => untilMs <= this.now());
    const key = JSON.stringify([message.from, message.to, reference, total]);
    const parts = this.waiting.get(key)?.parts ?? new Map<number, string>();
    parts.set(number, message.body);
    this.waiting.delete(key);
    this.dropWhile(() => this.waiting.size >= TEXTS_MAX);
    this.waiting.set(key, { parts, untilMs: this.now() + LIFE_MS });
    if (parts.size < total) return null;
    const numbers = Array.from({ length: total }, (_, index) => index + 1);
    const body = numbers.map((one) => parts.get(one)).join('');
    return { message: { ...message, body }, forget: () => this.waiting.delete(key) };
  }

  private dropWhile(isOver: (oldest: Waiting) => boolean): void {
    let count = 0;
    for (const [key, oldest] of this.waiting) {
      if (!isOver(oldest)) break;
      this.waiting.delete(key);
      count += 1;
    }
    if (count > 0) this.dropped(count);
  }
}
