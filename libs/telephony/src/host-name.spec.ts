import { describe, expect, it } from '@jest/globals';
import { isHostName, isSharedDomain } from './host-name.js';

describe('a host name', () => {
  it.each(['example.com', 'app.example.com', 'xn--bcher-kva.example', 'a-1.example.co'])(
    'can be %s',
    (value) => expect(isHostName(value)).toBe(true),
  );

  it.each([
    '',
    'localhost',
    'Example.com',
    'bücher.example',
    'example.com/',
    'user@example.com',
    '127.0.0.1',
    'example.com.',
    '*.example.com',
  ])('cannot be %j', (value) => expect(isHostName(value)).toBe(false));
});

describe('a domain that unrelated owners share', () => {
  it.each(['co.uk', 'com.ng', 'or.ke', 'gob.mx'])('is %s', (domain) =>
    expect(isSharedDomain(domain)).toBe(true),
  );

  it.each(['acme.co.uk', 'acme.uk', 'co.com', 'uk', 'acme.example'])('is not %s', (domain) =>
    expect(isSharedDomain(domain)).toBe(false),
  );
});
