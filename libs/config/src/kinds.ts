import { isIP } from 'node:net';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsBoolean,
  IsIn,
  IsInt,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { all, kind } from './setting.js';

/**
 * The kinds of settings. Each reads the text of a variable and checks it with decorators of
 * class-validator. Messages say what the value must be and never repeat it.
 */
export function WholeNumber(minimum: number, maximum: number): PropertyDecorator {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return all(
    kind(`integer, ${minimum} to ${maximum}`, (text) =>
      /^-?\d+$/.test(text) ? Number(text) : NaN,
    ),
    IsInt({ message }),
    Min(minimum, { message }),
    Max(maximum, { message }),
  );
}

/** A text; empty when unset. */
export function Text(meaning = 'text', pattern?: RegExp): PropertyDecorator {
  const read = kind(meaning, (text) => text);
  if (pattern === undefined) return read;
  return all(read, isSet, Matches(pattern, { message: `must be ${meaning}` }));
}

export function Url(...protocols: readonly string[]): PropertyDecorator {
  const meaning = `URL (${protocols.map((name) => `${name}://`).join(' or ')})`;
  const isUrl = (value: string) =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1));
  return all(
    kind(meaning, (text) => withSocket(text.replace(/\/+$/, ''))),
    isSet,
    // class-validator's IsUrl refuses hosts without a dot and lists of hosts.
    ValidateBy(
      { name: 'isUrl', validator: { validate: isUrl } },
      { message: `must be a ${meaning}` },
    ),
  );
}

/**
 * Writes the directory of a Unix socket, which libpq takes as `postgres://user@/db?host=/run/postgresql`, as a host
 * that every reader of URLs takes.
 */
function withSocket(text: string): string {
  const [, start, port = '', path, query] =
    /^(postgres(?:ql)?:\/\/(?:[^/@?]*@)?)(:\d+)?(\/[^?]*)\?(.*)$/.exec(text) ?? [];
  if (start === undefined) return text;
  const parameters = new URLSearchParams(query);
  const directory = parameters.get('host') ?? '';
  if (!directory.startsWith('/')) return text;
  parameters.delete('host');
  const others = parameters.size === 0 ? '' : `?${parameters}`;
  return `${start}${encodeURIComponent(directory)}${port}${path}${others}`;
}

/** One of the choices. Unset, it is the default, or `undefined` where that has its own meaning. */
export function OneOf(choices: readonly string[]): PropertyDecorator {
  const message = `must be one of ${choices.join(', ')}`;
  return all(
    kind(choices.join(', '), (text) => text),
    IsIn(choices, { message }),
  );
}

export function ListOf(choices: readonly string[]): PropertyDecorator {
  const type = `comma list of ${choices.join(', ')}`;
  const message = `must be a ${type}`;
  const inOrder = (left: string, right: string) => choices.indexOf(left) - choices.indexOf(right);
  return all(
    kind(type, (text) => [...new Set(parts(text))].toSorted(inOrder)),
    ArrayNotEmpty({ message }),
    IsIn(choices, { each: true, message }),
  );
}

/** A list of `host:port`, separated by commas. */
export function Addresses(): PropertyDecorator {
  const type = 'comma list of host:port';
  const isAddress = (value: string) => {
    const [, port] = /^(?:\[[0-9a-fA-F:]+\]|[^\s:,]+):(\d{1,5})$/.exec(value) ?? [];
    return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
  };
  const validator = { validate: isAddress };
  return all(
    kind(type, parts),
    ValidateBy({ name: 'isAddress', validator }, { each: true, message: `must be a ${type}` }),
  );
}

/** A list of IP addresses, each with an optional port, separated by commas. */
export function IpAddresses(): PropertyDecorator {
  const type = 'comma list of IP addresses, each with an optional port';
  const isAddress = (value: string) => {
    const [, bracketed, plain, port = '53'] =
      /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
    const isPort = Number(port) >= 1 && Number(port) <= 65_535;
    return isPort && isIP(bracketed ?? plain ?? value) > 0;
  };
  const validator = { validate: isAddress };
  return all(
    kind(type, parts),
    ValidateBy({ name: 'isIpAddress', validator }, { each: true, message: `must be a ${type}` }),
  );
}

/** A list of keys of 256 bits, separated by commas. */
export function HexKeys(): PropertyDecorator {
  const type = 'comma list of 64 lower-case hexadecimal digits';
  return all(
    kind(type, parts),
    Matches(/^[0-9a-f]{64}$/, { each: true, message: `must be a ${type}` }),
    ArrayUnique({ message: 'must not name a key twice' }),
  );
}

/** One secret, or two separated by a comma while one replaces the other. */
export function Secrets(
  one = 'at least 32 characters without spaces',
  pattern = /^[^\s,]{32,}$/,
): PropertyDecorator {
  const type = `${one}, or two such with a comma between`;
  const message = `must be ${type}`;
  return all(
    kind(type, parts),
    Matches(pattern, { each: true, message }),
    ArrayMaxSize(2, { message }),
    ArrayUnique({ message: 'must not name a secret twice' }),
  );
}

/** A switch. `undefined` when unset, which has its own meaning. */
export function Flag(): PropertyDecorator {
  const values = new Map([
    ['true', true],
    ['false', false],
  ]);
  return all(
    kind('true or false', (text) => values.get(text) ?? text),
    IsBoolean({ message: 'must be true or false' }),
  );
}

const isSet = ValidateIf((_settings, value) => value !== '');

function parts(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
