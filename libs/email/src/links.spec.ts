import { describe, expect, it } from '@jest/globals';
import { linkSecretAt, linkSigning } from './links.js';
import { EmailTokens } from './tokens.js';

const SECRET = 'links-of-a-test';
const settings = {
  trackingHost: 'links.watchword.example',
  callbackBaseUrl: 'https://Links.gateway.example:8443/base',
};
const ref = { emailId: '0198f3a2-7c1e-7d55-9a31-2f4b8c6d0e12', recipient: 0 };
const TARGET = 'https://acme.example/';

/** A click in an email of this domain, or in one without a link host of its own. */
const clickOf = (domain: string | null) =>
  new EmailTokens(linkSigning(settings, SECRET, domain).secret).click(ref, TARGET);
const readAt = (host: string, token: string) =>
  new EmailTokens(linkSecretAt(settings, SECRET, host)).readClick(token);

describe('a token of a link', () => {
  it("of a sender's own host counts there alone", () => {
    const token = clickOf('a.example');
    expect(linkSigning(settings, SECRET, 'a.example').baseUrl).toBe('https://links.a.example');
    expect(readAt('links.a.example', token)).toMatchObject({ url: TARGET });
    expect(readAt('LINKS.a.Example', token)).toMatchObject({ url: TARGET });
    const { trackingHost } = settings;
    for (const host of ['links.b.example', 'links.a.example.', 'a.example', trackingHost, '']) {
      expect(readAt(host, token)).toBeNull();
    }
  });

  it('of the shared hosts counts at each of them, and at no own one', () => {
    const token = clickOf(null);
    const { trackingHost } = settings;
    for (const host of [trackingHost, 'links.gateway.example', '127.0.0.1', '10.0.0.7', '']) {
      expect(readAt(host, token)).toMatchObject({ url: TARGET });
    }
    expect(readAt('links.b.example', token)).toBeNull();
  });

  it('counts at a shared host that is also the link host of a domain', () => {
    expect(readAt('links.watchword.example', clickOf('watchword.example'))).not.toBeNull();
  });
});
