/** The kinds of settings. A parser returns the value, or throws `Invalid` with what it must be. */
export const serviceNames = ['gateway', 'billing', 'dispatch', 'webhooks'] as const;
export type ServiceName = (typeof serviceNames)[number];
/** `operator`: the commands of `npm run operator`, and no service. */
export type Reader = ServiceName | 'operator';

export class Invalid extends Error {}

export interface Setting<Value> {
  /** The environment variable. */
  readonly variable: string;
  readonly sentence: string;
  readonly unit?: string;
  /** Never printed, neither its value nor a part of it. */
  readonly secret: boolean;
  /** What reads it; empty means every service. */
  readonly services: readonly Reader[];
  readonly fallback: Value;
  /** How the default reads in the documentation, when the value itself would say too little. */
  readonly fallbackText?: string;
  readonly type: string;
  parse(text: string): Value;
}

interface Description<Value> {
  variable: string;
  sentence: string;
  fallback: Value;
  fallbackText?: string;
  unit?: string;
  secret?: boolean;
  services?: readonly Reader[];
}

function setting<Value>(
  description: Description<Value>,
  type: string,
  parse: (text: string) => Value,
): Setting<Value> {
  return { secret: false, services: [], ...description, type, parse };
}

export function integer(
  description: Description<number> & { minimum: number; maximum: number },
): Setting<number> {
  const { minimum, maximum, ...rest } = description;
  return setting(rest, `integer, ${minimum} to ${maximum}`, (given) => {
    const value = Number(given);
    if (!/^-?\d+$/.test(given) || value < minimum || value > maximum) {
      throw new Invalid(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return value;
  });
}

export function decimal(
  description: Description<number> & { minimum: number; maximum: number },
): Setting<number> {
  const { minimum, maximum, ...rest } = description;
  return setting(rest, `number, ${minimum} to ${maximum}`, (given) => {
    const value = Number(given);
    if (!/^\d+(\.\d+)?$/.test(given) || value < minimum || value > maximum) {
      throw new Invalid(`must be a number from ${minimum} to ${maximum}`);
    }
    return value;
  });
}

export function text(
  description: Description<string> & { pattern?: RegExp; meaning?: string },
): Setting<string> {
  const { pattern, meaning = 'text', ...rest } = description;
  return setting(rest, meaning, (value) => {
    if (pattern && !pattern.test(value)) throw new Invalid(`must be ${meaning}`);
    return value;
  });
}

export function url(
  description: Description<string> & { protocols: readonly string[] },
): Setting<string> {
  const { protocols, ...rest } = description;
  const meaning = `URL (${protocols.map((name) => `${name}://`).join(' or ')})`;
  return setting(rest, meaning, (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    if (!parsed || !protocols.includes(parsed.protocol.slice(0, -1))) {
      throw new Invalid(`must be a ${meaning}`);
    }
    return value.replace(/\/+$/, '');
  });
}

export function oneOf<const Choice extends string>(
  description: Description<NoInfer<Choice>> & { choices: readonly Choice[] },
): Setting<Choice> {
  const { choices, ...rest } = description;
  return setting<Choice>(rest, choices.join(', '), (value) => {
    const choice = choices.find((each) => each === value);
    if (choice === undefined) throw new Invalid(`must be one of ${choices.join(', ')}`);
    return choice;
  });
}

/** As `oneOf`; `undefined` where the default depends on other settings. */
export function optionalOneOf<const Choice extends string>(
  description: Omit<Description<Choice>, 'fallback'> & { choices: readonly Choice[] },
): Setting<Choice | undefined> {
  const { choices, ...rest } = description;
  const chosen = oneOf<Choice>({ ...rest, choices, fallback: choices[0] as NoInfer<Choice> });
  return { ...chosen, fallback: undefined };
}

export function listOf<const Choice extends string>(
  description: Description<readonly NoInfer<Choice>[]> & { choices: readonly Choice[] },
): Setting<readonly Choice[]> {
  const { choices, ...rest } = description;
  return setting<readonly Choice[]>(rest, `comma list of ${choices.join(', ')}`, (value) => {
    const names = value.split(',').map((name) => name.trim());
    const chosen = choices.filter((choice) => names.includes(choice));
    if (chosen.length === 0 || names.some((name) => !choices.includes(name as Choice))) {
      throw new Invalid(`must be a comma list of ${choices.join(', ')}`);
    }
    return chosen;
  });
}

/** `host:port` of each, separated by commas. */
export function addresses(description: Description<readonly string[]>): Setting<readonly string[]> {
  return setting<readonly string[]>(description, 'comma list of host:port', (value) => {
    const all = value.split(',').map((each) => each.trim());
    const usable = all.every((each) => {
      const [, port] = /^(?:\[[0-9a-fA-F:]+\]|[^\s:,]+):(\d{1,5})$/.exec(each) ?? [];
      return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
    });
    if (!usable) throw new Invalid('must be a comma list of host:port');
    return all;
  });
}

/** Keys of 256 bits, separated by commas. */
export function hexKeys(description: Description<readonly string[]>): Setting<readonly string[]> {
  const type = 'comma list of 64 lower-case hexadecimal digits';
  return setting<readonly string[]>(description, type, (value) => {
    const keys = value.split(',').map((key) => key.trim());
    if (!keys.every((key) => /^[0-9a-f]{64}$/.test(key))) throw new Invalid(`must be a ${type}`);
    if (new Set(keys).size < keys.length) throw new Invalid('must not name a key twice');
    return keys;
  });
}

/** `undefined` where "not said" has a meaning of its own. */
export function flag(description: Description<boolean | undefined>): Setting<boolean | undefined> {
  return setting<boolean | undefined>(description, 'true or false', (value) => {
    if (value !== 'true' && value !== 'false') throw new Invalid('must be true or false');
    return value === 'true';
  });
}
