import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The same for each client, made once. */
export interface PublicDocument {
  type: string;
  bytes: Buffer;
  etag: string;
}

export const HTML_TYPE = 'text/html; charset=utf-8';

export function documentOf(type: string, text: string): PublicDocument {
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
  return { type, bytes: Buffer.from(text), etag };
}

/** Answers 304 to a client that has the document already. */
export function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag }: PublicDocument,
  cacheControl: string,
): void {
  reply.header('cache-control', cacheControl).header('etag', etag);
  if (request.headers['if-none-match'] === etag) {
    reply.code(304).send();
    return;
  }
  reply.code(200).header('content-type', type).send(bytes);
}
