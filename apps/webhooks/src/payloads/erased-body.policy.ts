/** A number or an email address to find in texts, but not within a longer one. */
export interface Sought {
  /** Every text with it has these letters: in lower case, where letters may differ in case. */
  readonly needle: string;
  readonly anyCase: boolean;
  readonly text: RegExp;
  /** `Name <address>`: the name goes, too. */
  readonly mailbox: RegExp;
}

export function soughtOf(to: string): Sought {
  const escaped = to.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  const mailbox = new RegExp(`^[^<>]*<${escaped}>$`, 'i');
  if (to.includes('@')) {
    const text = new RegExp(`(?<![\\w.+-])${escaped}(?![\\w-]|\\.\\w)`, 'gi');
    return { needle: to.toLowerCase(), anyCase: true, text, mailbox };
  }
  const digits = to.slice(1);
  const text = new RegExp(`(?<![0-9A-Za-z+])\\+?${digits}(?![0-9A-Za-z])`, 'g');
  return { needle: digits, anyCase: false, text, mailbox };
}

/** What belongs to a message to one receiver alone. */
const PRIVATE_MEMBERS: Readonly<Record<string, unknown>> = {
  ...{ body: null, original_body: undefined, subject: '' },
  ...{ metadata: {}, headers: {}, attachments: [], tags: [] },
};

/**
 * Returns the body of an event without the number or address, and without the words of a message
 * to it alone. Null where it is not in the body. Nothing else changes, the order of members
 * neither.
 */
export function erasedBody(body: string, sought: Sought, erased: string): string | null {
  if (body.search(sought.text) < 0) return null;
  const envelope = JSON.parse(body) as { data: Record<string, unknown> };
  const data = replaced(envelope.data, sought, erased) as Record<string, unknown>;
  return JSON.stringify({
    ...envelope,
    data: isToNobodyElse(data, erased) ? wordless(data) : data,
  });
}

/** Texts to others can name the number, or the address. */
function isToNobodyElse(data: Record<string, unknown>, erased: string): boolean {
  const { recipients, to, phone_number: number } = data;
  if (!Array.isArray(recipients)) return (to ?? number) === erased;
  return recipients.every((one: { address: string }) => one.address === erased);
}

function wordless(data: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(data).map(([name, value]) => {
    // The text of an SMS, which is null in a record without it and never in variant A.
    if (name === 'message') return [name, 'body' in data ? null : ''];
    return [name, name in PRIVATE_MEMBERS ? PRIVATE_MEMBERS[name] : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function replaced(value: unknown, sought: Sought, erased: string): unknown {
  if (typeof value === 'string') {
    return sought.mailbox.test(value) ? erased : value.replaceAll(sought.text, erased);
  }
  if (Array.isArray(value)) return value.map((one) => replaced(one, sought, erased));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, replaced(one, sought, erased)]);
  return Object.fromEntries(entries);
}
