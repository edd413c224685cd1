import { Resolver } from 'node:dns/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { request } from 'undici';
import { startCarrierSim } from '../src/index.js';
import type { CarrierSim } from '../src/index.js';
import { until } from './carrier-sim.kit.js';

interface Report {
  from: string;
  to: string;
  raw: string;
}

/** Plays the product's receiver of bounces. */
const reports: Report[] = [];
const exchanger = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onData(stream, { envelope }, done) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const to = envelope.rcptTo[0]!.address;
      reports.push({ from, to, raw: Buffer.concat(chunks).toString() });
      done();
    });
  },
});
let simulator: CarrierSim;

beforeAll(async () => {
  const server = exchanger.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const bounceExchangers = [{ host: '127.0.0.1', port }];
  simulator = await startCarrierSim({ accounts: {}, bounceExchangers });
});

afterEach(async () => {
  reports.length = 0;
  await control('DELETE', '/emails');
  await control('DELETE', '/scenarios');
});

afterAll(async () => {
  await simulator.close();
  await new Promise<void>((resolve) => exchanger.close(() => resolve()));
});

async function control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const { statusCode, body: answer } = await request(`${simulator.url}/_simulator${path}`, {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await answer.text();
  return { status: statusCode, body: text === '' ? null : JSON.parse(text) };
}

async function page(path: string) {
  const { statusCode, headers, body } = await request(simulator.url + path);
  return { status: statusCode, headers, text: await body.text() };
}

interface Mail {
  to?: string;
  html?: string;
  text?: string;
  subject?: string;
  notify?: string[];
  attachments?: { filename: string; content: string; cid?: string; contentType?: string }[];
}

async function send({ to = 'ada@example.com', notify, ...mail }: Mail = {}) {
  const { host, port } = simulator.smtp;
  const transport = createTransport({ host, port, ignoreTLS: true });
  const envelope = { from: 'bounce+token@send.example.com', to: [to] };
  const dsn = notify ? { id: 'env-1', return: 'headers', notify, recipient: to } : undefined;
  try {
    return await transport.sendMail({
      from: 'Sender <s@example.com>',
      to,
      subject: 'Grüße',
      text: 'hi',
      ...mail,
      envelope,
      dsn,
    });
  } finally {
    transport.close();
  }
}

const play = (submit: object, receipts?: object[]) =>
  control('POST', '/scenarios', { provider: 'smtp', to: 'ada@example.com', submit, receipts });

describe('the mailbox', () => {
  it('decisions 26: shows what came, one for each envelope recipient, oldest first', async () => {
    await send();
    await send({ to: 'bob@example.com', subject: 'Second' });
    const { body } = await control('GET', '/emails');
    expect(body).toMatchObject([
      {
        provider: 'smtp',
        from: 'bounce+token@send.example.com',
        to: 'ada@example.com',
        subject: 'Grüße',
        raw: expect.stringContaining('\r\n\r\nhi'),
        received_at: expect.stringMatching(/Z$/),
      },
      { to: 'bob@example.com', subject: 'Second' },
    ]);
    expect((await control('GET', '/emails?to=BOB@example.com')).body).toHaveLength(1);
    const since = new Date(Date.now() + 60_000).toISOString();
    expect((await control('GET', `/emails?since=${since}`)).body).toEqual([]);
    expect((await control('GET', '/emails?since=soon')).status).toBe(400);
    expect((await control('DELETE', '/emails')).status).toBe(204);
    expect((await control('GET', '/emails')).body).toEqual([]);
  });

  it('has a page that admits its own script only', async () => {
    const { status, headers, text } = await page('/emails');
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[^ ']+'; style-src 'sha256-/);
    expect(policy).not.toContain('unsafe');
    expect(text).toContain('Mailbox');
    const [, sandbox] = /frame\.setAttribute\('sandbox', '([^']*)'\)/.exec(text) ?? [];
    expect(sandbox).toBe('allow-popups allow-popups-to-escape-sandbox');
    expect(text).toMatch(/frame\.setAttribute\('sandbox'[^]*frame\.src = /);
    expect((await page('/')).text).toContain('href="/emails"');
  });
});

describe('the HTML of an email', () => {
  it('is shown in a sandbox without scripts', async () => {
    await send({ html: '<p>hello</p><script>parent.document.title = "out"</script>' });
    const [{ id }] = JSON.parse((await page('/emails/list')).text) as [{ id: string }];
    const { headers, text } = await page(`/emails/${id}/html`);
    expect(text).toContain('hello');
    const directives = String(headers['content-security-policy']).split('; ');
    expect(directives).toEqual([
      "default-src 'none'",
      'img-src data: http: https:',
      "style-src 'unsafe-inline'",
      "form-action 'none'",
      "base-uri 'none'",
      'sandbox allow-popups allow-popups-to-escape-sandbox',
    ]);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('is one part of what is shown; the others are inert', async () => {
    const attachments = [
      { filename: 'evil.html', content: '<script>alert(1)</script>', contentType: 'text/html' },
      { filename: 'i.png', content: 'png', cid: 'logo', contentType: 'image/png' },
    ];
    await send({ html: '<img src="cid:logo">', text: '<b>text</b>', attachments });
    const [{ id }] = JSON.parse((await page('/emails/list')).text) as [{ id: string }];
    const { body } = await control('GET', `/emails/${id}`);
    expect(body).toMatchObject({ text: '<b>text</b>', has_html: true, subject: 'Grüße' });
    expect(body.headers).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=');
    expect((await page(`/emails/${id}/html`)).text).toContain('src="data:image/png;base64,');
    const named = body.attachments.find(
      ({ filename }: { filename: string }) => filename === 'evil.html',
    );
    const attachment = await page(`/emails/${id}/attachments/${named.number}`);
    expect(attachment.headers['content-type']).toBe('application/octet-stream');
    expect(attachment.headers['content-disposition']).toBe(
      "attachment; filename*=UTF-8''evil.html",
    );
    const raw = await page(`/emails/${id}/raw`);
    expect(raw.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(raw.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    for (const path of ['/emails/none/html', '/emails/none/raw', `/emails/${id}/attachments/9`]) {
      expect((await page(path)).status).toBe(404);
    }
  });
});

describe('a scenario', () => {
  it.each([
    [{ kind: 'refuse', code: '550 5.1.1' }, 550, 'RCPT TO'],
    [{ kind: 'refuse' }, 550, 'RCPT TO'],
    [{ kind: 'throttle' }, 451, 'RCPT TO'],
  ])('%j', async (submit, responseCode, command) => {
    await play(submit);
    await expect(send()).rejects.toMatchObject({ responseCode, command });
    expect((await control('GET', '/emails')).body).toEqual([]);
    await expect(send({ to: 'bob@example.com' })).resolves.toBeDefined();
  });

  it('cuts the connection before and after the email is taken', async () => {
    await play({ kind: 'reset' });
    await expect(send()).rejects.toThrow();
    expect((await control('GET', '/emails')).body).toEqual([]);
    await play({ kind: 'accept_then_lose_answer' });
    await expect(send()).rejects.toThrow();
    expect((await control('GET', '/emails')).body).toHaveLength(1);
  });
});

describe('reports to the return path', () => {
  it('say delivered when that was asked for', async () => {
    await send({ notify: ['SUCCESS', 'FAILURE'] });
    const report = await until(() => reports[0]);
    expect(report).toMatchObject({ from: '', to: 'bounce+token@send.example.com' });
    expect(report.raw).toContain('Original-Envelope-Id: env-1\r\n');
    expect(report.raw).toMatch(/Action: delivered\r\nStatus: 2\.1\.5/);
    await send();
    // The report of a later email comes after one of an earlier email.
    await send({ notify: ['SUCCESS', 'FAILURE'] });
    await until(() => reports[1]);
    expect(reports.map(({ raw }) => raw.includes('Original-Envelope-Id: env-1'))).toEqual([
      true,
      true,
    ]);
  });

  it.each([
    ['failed', '5.2.2', /Action: failed\r\nStatus: 5\.2\.2\r\nDiagnostic-Code: smtp; 550 5\.2\.2/],
    ['buffered', undefined, /Action: delayed\r\nStatus: 4\.4\.1/],
    ['complained', undefined, /report-type=feedback-report[^]*Feedback-Type: abuse/],
  ])('say %s', async (outcome, code, pattern) => {
    await play({ kind: 'accept' }, [{ after_ms: 0, outcome, ...(code && { code }) }]);
    await send();
    expect((await until(() => reports[0])).raw).toMatch(pattern);
  });

  it('come from a person when they are forged', async () => {
    await play({ kind: 'accept' }, [{ after_ms: 0, outcome: 'failed', forged: true }]);
    await send();
    expect((await until(() => reports[0])).from).toBe('mallory@sim.test');
  });
});

describe('the name server', () => {
  const key = `v=DKIM1; k=rsa; p=${'A'.repeat(392)}`;
  const records = [
    { type: 'TXT', name: 'S1._domainkey.Example.com', value: key },
    { type: 'TXT', name: 'send.example.com', value: 'v=spf1 ~all' },
    { type: 'MX', name: 'send.example.com', value: 'bounces.sim.test', priority: 10 },
    { type: 'CNAME', name: 'links.example.com', value: 'track.sim.test' },
    { type: 'A', name: 'a.example.com', value: '192.0.2.1' },
    { type: 'AAAA', name: 'a.example.com', value: '2001:db8::1' },
    ...Array.from({ length: 9 }, (_, at) => ({
      type: 'TXT',
      name: 'big.example.com',
      value: `${at}`.repeat(400),
    })),
  ];
  const resolver = new Resolver({ tries: 2, timeout: 60_000 });

  it('answers what was put, over TCP where it is long', async () => {
    resolver.setServers([simulator.dns]);
    expect((await control('PUT', '/dns', { records })).status).toBe(200);
    const dkim = await resolver.resolveTxt('s1._domainkey.example.com');
    expect(dkim.map((parts) => parts.join(''))).toEqual([key]);
    expect(dkim[0]!.every((part) => part.length <= 255)).toBe(true);
    expect(await resolver.resolveMx('SEND.example.com')).toMatchObject([
      { exchange: 'bounces.sim.test', priority: 10 },
    ]);
    expect(await resolver.resolveCname('links.example.com')).toEqual(['track.sim.test']);
    expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.1']);
    expect(await resolver.resolve6('a.example.com')).toEqual(['2001:db8::1']);
    expect(await resolver.resolveTxt('big.example.com')).toHaveLength(9);
    await expect(resolver.resolveTxt('none.example.com')).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
    await expect(resolver.resolveMx('a.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('keeps what was added when other records are put', async () => {
    resolver.setServers([simulator.dns]);
    const added = [{ type: 'TXT', name: 'demo.example', value: 'here' }];
    expect((await control('POST', '/dns', { records: added })).status).toBe(201);
    await control('PUT', '/dns', { records: [] });
    expect(await resolver.resolveTxt('demo.example')).toEqual([['here']]);
    const bad = [{ type: 'PTR', name: 'x', value: 'y' }];
    expect((await control('PUT', '/dns', { records: bad })).status).toBe(400);
  });
});
