import { fastifyCookie as cookies } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'svc_session';
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

export function readSessionCookie(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : cookies.parse(cookie)[NAME];
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeSeconds: number,
  trustedProxies: number,
): void {
  const cookie = cookies.serialize(NAME, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: !isLoopback(request, trustedProxies),
    maxAge: maxAgeSeconds,
  });
  reply.header('set-cookie', cookie);
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
