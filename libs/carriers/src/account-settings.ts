import {
  ArrayMinSize,
  IsBoolean,
  IsIn,
  IsInt,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';

/**
 * How a class describes the settings of an account at a carrier. Each property is a member of a
 * row of the file that `CARRIERS_FILE` names, in snake_case. Its initial value is the default.
 */
export type SettingsClass<Settings extends object = object> = new () => Settings;
export type AccountReader = 'gateway' | 'dispatch';

/** A value for the carrier simulator: drawn at the first start, or an address of the simulator. */
export type SimulatedValue =
  { readonly text: string } | { readonly prefix: string; readonly randomBytes: number } | 'address';

interface Description {
  /** Services that read it. Only dispatch unless named. */
  readonly services?: readonly AccountReader[];
  /** A secret is a reference to an environment variable or a file. */
  readonly secret?: boolean;
  readonly required?: boolean;
  /** Property without which this one means nothing. */
  readonly needs?: string;
  /** Text for the default in the documentation, where the value itself says too little. */
  readonly fallbackText?: string;
  readonly simulated?: SimulatedValue;
}

export interface AccountMember extends Description {
  readonly property: string;
  /** Name in the file, for example `auth_token`. */
  readonly name: string;
  /** Name of the type in the documentation. */
  readonly type: string;
  readonly sentence: string;
  /** Returns the value in the form that the carrier's adapter expects. */
  readonly tidy: (value: unknown) => unknown;
  readonly services: readonly AccountReader[];
  readonly fallback: unknown;
}

type Described = Omit<AccountMember, 'name' | 'fallback'>;
const described = new WeakMap<object, Described[]>();

/** A kind of value: its name in the documentation, and the decorators that check it. */
interface Kind {
  readonly type: string;
  readonly checks: readonly PropertyDecorator[];
  readonly tidy?: (value: unknown) => unknown;
}

/** Documents a property and checks its value. */
export function Member(kind: Kind, sentence: string, more: Description = {}): PropertyDecorator {
  return (target, property) => {
    const member = {
      ...more,
      property: String(property),
      type: kind.type,
      tidy: kind.tidy ?? ((value: unknown) => value),
      sentence,
      services: more.services ?? (['dispatch'] as const),
    };
    described.set(target, [...(described.get(target) ?? []), member]);
    for (const check of kind.checks) check(target, property);
  };
}

/** Returns the members of a class: its own, then those that it inherits. */
export function membersOf(settings: SettingsClass): readonly AccountMember[] {
  const defaults = new settings() as Readonly<Record<string, unknown>>;
  const members: Described[] = [];
  let prototype = settings.prototype as object | null;
  while (prototype !== null) {
    members.push(...(described.get(prototype) ?? []));
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return members.map((member) => ({
    ...member,
    name: member.property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    fallback: defaults[member.property],
  }));
}

/** A text that is not empty and fits the pattern. */
export function text(meaning = 'a text', pattern = /./): Kind {
  return { type: meaning, checks: [Matches(pattern, { message: `must be ${meaning}` })] };
}

export function oneOf(...choices: readonly string[]): Kind {
  const type = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  return { type, checks: [IsIn(choices, { message: `must be ${type}` })] };
}

export function integer(minimum: number, maximum: number): Kind {
  const type = `an integer from ${minimum} to ${maximum}`;
  const message = `must be ${type}`;
  return {
    type,
    checks: [IsInt({ message }), Min(minimum, { message }), Max(maximum, { message })],
  };
}

export const port = integer(1, 65_535);
export const count = integer(1, 100_000);
export const host = text('a host name or address', /^[A-Za-z0-9.:-]+$/);

export const flag: Kind = {
  type: 'true or false',
  checks: [IsBoolean({ message: 'must be true or false' })],
};

export const url: Kind = {
  ...checked('a URL (http:// or https://)', (value) => {
    const parsed = typeof value === 'string' ? URL.parse(value) : null;
    return parsed !== null && ['http:', 'https:'].includes(parsed.protocol);
  }),
  tidy: (value) => (typeof value === 'string' ? value.replace(/\/+$/, '') : value),
};

/** A list with at least one text that fits the pattern. */
export function list(meaning: string, pattern: RegExp): Kind {
  const message = `must be ${meaning}`;
  return {
    type: meaning,
    checks: [ArrayMinSize(1, { message }), Matches(pattern, { each: true, message })],
  };
}

/** A kind that a function decides. */
export function checked(meaning: string, validate: (value: unknown) => boolean): Kind {
  const message = `must be ${meaning}`;
  return {
    type: meaning,
    checks: [ValidateBy({ name: 'isValid', validator: { validate } }, { message })],
  };
}

/** The settings of every account. A carrier's class adds its own. */
export class SmsAccountSettings {
  @Member(
    text('at most 15 letters, digits, spaces, . & _ + or -', /^[A-Za-z0-9 .&_+-]{1,15}$/),
    'Sender of messages that name none.',
  )
  readonly senderId: string = 'Watchword';

  @Member(
    text('3 to 15 digits, with or without +', /^\+?[0-9]{3,15}$/),
    'Number that replaces a sender with letters, also that of one-time passwords, in countries ' +
      'whose rule says `replaced` and is enforced.',
    { fallbackText: 'none: senders are handed over as they are' },
  )
  readonly senderNumber: string | null = null;

  @Member(
    flag,
    'Whether the account may send one-time passwords and transactional texts to numbers on a ' +
      'Do Not Disturb registry.',
    {
      fallbackText:
        'false; for Termii, true for one-time passwords, and for texts if the channel is dnd',
    },
  )
  readonly dndCapable: boolean | null = null;

  @Member(count, 'Submits that may be unanswered at once.', { fallbackText: 'the carrier’s own' })
  readonly concurrency: number | null = null;

  @Member(count, 'Submits that may start in one second.', { fallbackText: 'the carrier’s own' })
  readonly messagesPerSecond: number | null = null;
}

export class EmailAccountSettings {
  @Member(count, 'Emails that may be unanswered at once.', { fallbackText: 'the carrier’s own' })
  readonly concurrency: number | null = null;
}
