import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ResolvedAddress } from '../src/deliveries/guarded-connector.js';
import { WebhookHttpClient } from '../src/deliveries/http-client.adapter.js';
import { isLoopbackAddress, isPublicAddress } from '../src/endpoints/public-address.policy.js';
import { problemOfUrl } from '../src/endpoints/endpoint-url.policy.js';
import { answer, TestReceiver } from './receiver.kit.js';

const words = (text: string) => text.trim().split(/ +|\n\s*/);

const FORBIDDEN_V4 = words(`
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.1.2.3
  127.255.255.254 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1
  192.0.0.170 192.0.2.1 192.88.99.1 192.168.0.1 192.168.1.1 192.168.255.255 198.18.0.1
  198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 254.255.255.255
  255.255.255.255 168.63.129.16
`);
const FORBIDDEN_V6 = words(`
  :: ::1 ::2 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1
  64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:10::1 2001:db8::1
  2002:7f00:1:: 2002:a00:1::1 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1
  ff02::1 4000::1
`);
const PUBLIC = words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  168.63.129.15 168.63.129.17 169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 198.17.255.255 198.20.0.0
  223.255.255.255 2001:4860:4860::8888 2606:4700::1111 2a00:1450:4001::1
`);

/** Odd forms of addresses, and names of this machine and its network. */
const FORBIDDEN_HOSTS = words(`
  2130706433 0x7f.1 0177.0.0.1 127.1 0x7f000001 017700000001 ①②⑦.0.0.1 127。0。0。1 127.0.0.1.
  127%2e0%2e0%2e1 0 3232235777 [::ffff:0x7f.1] localhost LOCALHOST localhost. a.localhost ｌocalhost
  printer db.local metadata.google.internal METADATA.GOOGLE.INTERNAL kubernetes.default.svc a.svc.
  a.svc.cluster.local x.home.arpa db.intranet router.lan gateway.local. xn--fsq
`);

/** Other schemes, credentials, and forms that parsers read differently. */
const FORBIDDEN_FORMS = [
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/plain,hi',
  'ws://example.com/',
  '//example.com/',
  '',
  'https://',
  'https://good@127.0.0.1/',
  'https://good:pw@example.com/',
  'https://@/',
  'https://example.com\\@127.0.0.1/',
  'https://example.com#@127.0.0.1/',
  'https://127.0.0.1%2f@example.com/',
  'https://[::1',
  'https://exa mple.com/',
  'https://example.com/\r\nHost: x',
  ' https://example.com/',
  'https://example.com/\u0000',
  'not a url',
  `https://example.com/${'x'.repeat(2_048)}`,
];

const FORBIDDEN_PORTS = [0, 1, 22, 23, 25, 53, 445, 2375, 3306, 5432, 6379, 9092, 11211, 27017];

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

const FORBIDDEN_URLS = [
  ...[...FORBIDDEN_V4, ...FORBIDDEN_V6.map(inUrl), ...FORBIDDEN_HOSTS].map(
    (host) => `https://${host}/hook`,
  ),
  ...FORBIDDEN_FORMS,
  ...FORBIDDEN_PORTS.map((port) => `https://example.com:${port}/`),
];

describe('addresses', () => {
  it('are public or they are not', () => {
    const wrong = [
      ...[...FORBIDDEN_V4, ...FORBIDDEN_V6].filter((address) => isPublicAddress(address)),
      ...PUBLIC.filter((address) => !isPublicAddress(address)),
      ...['', 'example.com', '1.2.3', '256.1.1.1'].filter((text) => isPublicAddress(text)),
    ];
    expect(wrong).toEqual([]);
    expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopbackAddress)).toBe(true);
    expect(['127.1', '10.0.0.1', '::2', '1270.0.0.1'].some(isLoopbackAddress)).toBe(false);
  });
});

describe('registration', () => {
  it(`refuses ${FORBIDDEN_URLS.length} URLs`, () => {
    expect(FORBIDDEN_URLS.length).toBeGreaterThan(120);
    expect(FORBIDDEN_URLS.filter((url) => problemOfUrl(url, false) === null)).toEqual([]);
  });

  it('decisions 24: takes HTTPS URLs of public hosts', () => {
    const hosts = words(
      'example.com hooks.example.co.ke/a/b?c=d bücher.example/ example.com:8443/x ' +
        'example.com:443/ localhost.example.com/',
    );
    const urls = [...PUBLIC.map(inUrl), ...hosts].map((host) => `https://${host}`);
    expect(urls.filter((url) => problemOfUrl(url, false) !== null)).toEqual([]);
  });

  it('decisions 24: takes receivers on this machine when the switch says so, and nothing else more', () => {
    const here = ['http://127.0.0.1:5555/x', 'http://localhost:8080', 'http://[::1]:9999/'];
    expect(here.filter((url) => problemOfUrl(url, true) !== null)).toEqual([]);
    expect(here.filter((url) => problemOfUrl(url, false) === null)).toEqual([]);
    const elsewhere = ['http://example.com/', 'http://10.0.0.1/', 'https://10.0.0.1/'];
    expect(elsewhere.filter((url) => problemOfUrl(url, true) === null)).toEqual([]);
  });
});

describe('connecting', () => {
  const canaries: Server[] = [];
  let connections = 0;
  let port = 0;

  beforeAll(async () => {
    const listen = (host: string, on: number) =>
      new Promise<number>((resolve, reject) => {
        const server = createServer((socket) => {
          connections += 1;
          socket.destroy();
        });
        canaries.push(server);
        server.once('error', reject);
        server.listen(on, host, () => resolve((server.address() as AddressInfo).port));
      });
    port = await listen('0.0.0.0', 0);
    await listen('::1', port).catch(() => undefined);
  });

  afterAll(() => Promise.all(canaries.map((server) => new Promise((done) => server.close(done)))));

  const post = async (
    url: string,
    addresses: ResolvedAddress[] | Error = [],
    allowLoopback = false,
  ) => {
    const client = new WebhookHttpClient({
      allowLoopback,
      deadlineMs: 2_000,
      resolve: (_hostname, callback) =>
        addresses instanceof Error ? callback(addresses, []) : callback(null, addresses),
    });
    const outcome = await client.post(new URL(url), [], Buffer.from('{}'));
    await client.close(1_000);
    return outcome;
  };
  const toAddress = (address: string) => ({ address, family: address.includes(':') ? 6 : 4 });

  const expectRefused = async (outcome: ReturnType<typeof post>) => {
    expect(await outcome).toMatchObject({
      statusCode: null,
      error: 'The connection could not be established.',
    });
  };

  it('decisions 24: refuses every forbidden address that a name resolves to, in one text for all', async () => {
    for (const address of [...FORBIDDEN_V4, ...FORBIDDEN_V6]) {
      await expectRefused(post(`https://good.example:${port}/`, [toAddress(address)]));
    }
    await expectRefused(post(`https://good.example:${port}/`, new Error('no such name')));
    await expectRefused(post(`https://good.example:${port}/`, []));
    expect(connections).toBe(0);
  });

  it('refuses literal addresses, however they are written', async () => {
    const hosts = ['127.0.0.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'];
    for (const host of hosts) await expectRefused(post(`https://${host}:${port}/`));
    for (const host of hosts) await expectRefused(post(`http://${host}:${port}/`));
    expect(connections).toBe(0);
  });

  it('refuses plain HTTP to public addresses, also with the switch', async () => {
    await expectRefused(post(`http://good.example:${port}/`, [toAddress('1.1.1.1')], true));
    await expectRefused(post(`http://1.1.1.1:${port}/`, [], true));
    for (const address of ['10.0.0.1', '0.0.0.0', '::ffff:127.0.0.1', '169.254.169.254']) {
      await expectRefused(post(`http://good.example:${port}/`, [toAddress(address)], true));
      await expectRefused(post(`https://good.example:${port}/`, [toAddress(address)], true));
    }
    expect(connections).toBe(0);
  });

  it('decisions 24: asks the name again for every connection, and uses what it checked', async () => {
    const receiver = await TestReceiver.start();
    const answers = ['127.0.0.1', '10.0.0.1'];
    const client = new WebhookHttpClient({
      allowLoopback: true,
      deadlineMs: 2_000,
      resolve: (_hostname, callback) => callback(null, [toAddress(answers.shift()!)]),
    });
    receiver.respond = answer(200, { connection: 'close' });
    const url = new URL(receiver.origin.replace('127.0.0.1', 'flips.example'));
    expect((await client.post(url, [], Buffer.from('{}'))).statusCode).toBe(200);
    await expectRefused(client.post(url, [], Buffer.from('{}')));
    expect(receiver.connections).toBe(1);
    await client.close(1_000);
    await receiver.stop();
  });

  it('decisions 24: does not follow redirects and does not look at proxy variables', async () => {
    const receiver = await TestReceiver.start();
    const before = { ...process.env };
    process.env['HTTP_PROXY'] = process.env['HTTPS_PROXY'] = `http://127.0.0.1:${port}`;
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.respond = answer(status, { location: `http://127.0.0.1:${port}/` });
      const outcome = await post(receiver.origin, [], true);
      expect(outcome).toMatchObject({ statusCode: status, error: 'Redirects are not followed.' });
    }
    process.env = before;
    expect(receiver.received).toHaveLength(5);
    expect(connections).toBe(0);
    await receiver.stop();
  });
});
