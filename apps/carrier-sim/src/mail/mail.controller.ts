import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ParsedMail, SimpleParserOptions } from 'mailparser';
import type { MailboxStore, ReceivedEmail } from './mailbox.store.js';

interface Filtered {
  Querystring: Record<string, unknown>;
}

interface ById {
  Params: { id: string };
}

/** The HTML of an email is untrusted: it runs nothing, sends nothing and cannot read this page. */
const SANDBOX = 'sandbox allow-popups allow-popups-to-escape-sandbox';
const HTML_POLICY = [
  "default-src 'none'",
  'img-src data: http: https:',
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  SANDBOX,
].join('; ');

/** Links open in a new page. */
const HTML_HEAD = '<!doctype html><meta charset="utf-8"><base target="_blank">';

/** The mailbox for programs: `/_simulator/emails`. */
export function mailboxRoutes(scope: FastifyInstance, mailbox: MailboxStore): void {
  scope.get<Filtered>('/emails', async ({ query }, reply) => {
    const found = foundBy(mailbox, query);
    return found ? Promise.all(found.map(emailBody)) : badSince(reply);
  });
  scope.delete('/emails', (_request, reply) => {
    mailbox.clear();
    return reply.code(204).send();
  });
  scope.get<ById>('/emails/:id', async ({ params }, reply) => {
    const email = mailbox.get(params.id);
    return email ? shown(email) : notFound(reply);
  });
}

/** The list for the page, and the parts of an email, each with its own headers. */
export function emailPartRoutes(server: FastifyInstance, mailbox: MailboxStore): void {
  server.get<Filtered>('/emails/list', async ({ query }, reply) => {
    const found = foundBy(mailbox, query);
    return found ? Promise.all(found.map(listedEmail)) : badSince(reply);
  });
  server.get<ById>('/emails/:id/html', async ({ params }, reply) => {
    const email = mailbox.get(params.id);
    if (!email) return notFound(reply);
    const { html } = await parse(email.raw);
    return inert(reply, HTML_POLICY, 'text/html; charset=utf-8').send(HTML_HEAD + (html || ''));
  });
  server.get<ById>('/emails/:id/raw', async ({ params }, reply) => {
    const email = mailbox.get(params.id);
    if (!email) return notFound(reply);
    return inert(reply, POLICY_OF_NOTHING, 'text/plain; charset=utf-8').send(email.raw);
  });
  server.get<{ Params: { id: string; number: string } }>(
    '/emails/:id/attachments/:number',
    async ({ params }, reply) => {
      const email = mailbox.get(params.id);
      const parsed = email ? await parse(email.raw) : undefined;
      const attachment = parsed?.attachments[Number(params.number)];
      if (!attachment) return notFound(reply);
      const name = encodeURIComponent(attachment.filename ?? 'attachment');
      return inert(reply, POLICY_OF_NOTHING, 'application/octet-stream')
        .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
        .send(attachment.content);
    },
  );
}

/** Reads an email. The parser is large, and a start does not need it. */
async function parse(source: Buffer | string, options?: SimpleParserOptions): Promise<ParsedMail> {
  const { simpleParser } = await import('mailparser');
  return simpleParser(source, options);
}

const POLICY_OF_NOTHING = "default-src 'none'; sandbox";

function inert(reply: FastifyReply, policy: string, contentType: string): FastifyReply {
  return reply
    .header('content-type', contentType)
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store');
}

/** Returns undefined where `since` is no time. */
function foundBy(
  mailbox: MailboxStore,
  { to, since }: Filtered['Querystring'],
): readonly ReceivedEmail[] | undefined {
  const sinceMs = sinceMsOf(since);
  if (Number.isNaN(sinceMs)) return undefined;
  return mailbox.find(typeof to === 'string' && to !== '' ? to : undefined, sinceMs);
}

function badSince(reply: FastifyReply): FastifyReply {
  const message = 'since must be an ISO 8601 time or milliseconds since 1970';
  return reply.code(400).send({ error: { message, field: 'since' } });
}

async function emailBody(email: ReceivedEmail): Promise<Record<string, unknown>> {
  const { provider, from, to, raw, receivedAtMs } = email;
  const receivedAt = new Date(receivedAtMs).toISOString();
  const subject = await subjectOf(raw);
  return { provider, from, to, subject, raw: raw.toString('utf8'), received_at: receivedAt };
}

async function listedEmail({ id, to, raw, receivedAtMs }: ReceivedEmail): Promise<object> {
  const receivedAt = new Date(receivedAtMs).toISOString();
  return { id, to, subject: await subjectOf(raw), received_at: receivedAt };
}

/** Parses the headers only, so that a list of large emails stays cheap. */
async function subjectOf(raw: Buffer): Promise<string> {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw.subarray(0, end < 0 ? raw.length : end).toString('latin1');
  const line = /^subject:.*(?:\r\n[ \t].*)*/im.exec(lines)?.[0];
  if (line === undefined) return '';
  return (await parse(`${line}\r\n\r\n`)).subject ?? '';
}

/** Returns one email as its reader sees it. Its HTML and attachments have their own addresses. */
async function shown(email: ReceivedEmail): Promise<Record<string, unknown>> {
  const { id, provider, from, to, receivedAtMs, raw } = email;
  const parsed = await parse(raw, { skipTextToHtml: true });
  return {
    id,
    provider,
    from,
    to,
    received_at: new Date(receivedAtMs).toISOString(),
    subject: parsed.subject ?? '',
    headers: parsed.headerLines.map(({ line }) => line),
    text: parsed.text ?? '',
    has_html: Boolean(parsed.html),
    attachments: parsed.attachments.map(({ filename, contentType, size }, number) => ({
      number,
      filename: filename ?? 'attachment',
      content_type: contentType,
      size,
    })),
  };
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ error: { message: 'No email has this id.' } });
}

/** Returns NaN for a text that is no time. */
function sinceMsOf(since: unknown): number {
  if (since === undefined || since === '') return 0;
  const text = String(since);
  // The plus of an offset like +01:00 may have arrived as a space.
  return /^\d+$/.test(text) ? Number(text) : Date.parse(text.replace(' ', '+'));
}
