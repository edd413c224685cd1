import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The one cookie there is. Its value needs no encoding, and no other cookie is of interest, so this
 * is all the cookie handling that requests pay for.
 */
const NAME = 'svc_session';
const COOKIE = new RegExp(`(?:^|;) *${NAME}=([A-Za-z0-9_-]+) *(?:;|$)`);
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

export function readSessionCookie(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : COOKIE.exec(cookie)?.[1];
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeSeconds: number,
  trustedProxies: number,
): void {
  const parts = [`${NAME}=${token}`, `Max-Age=${maxAgeSeconds}`, 'Path=/', 'HttpOnly'];
  if (!isLoopback(request, trustedProxies)) parts.push('Secure');
  reply.header('set-cookie', [...parts, 'SameSite=Lax'].join('; '));
}

export function clearSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  trustedProxies: number,
): void {
  setSessionCookie(request, reply, '', 0, trustedProxies);
}

/**
 * As the browser sees it. Behind a proxy the host may be the proxy's name for us, so there every
 * cookie is secure.
 */
function isLoopback(request: FastifyRequest, trustedProxies: number): boolean {
  return trustedProxies === 0 && LOOPBACK.test(request.headers.host ?? '');
}
