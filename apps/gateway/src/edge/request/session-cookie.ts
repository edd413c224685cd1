import type { FastifyReply, FastifyRequest } from 'fastify';

/** The two cookies. Their values need no encoding, so one expression reads each. */
const SESSION = cookie('svc_session', '/');
/** Marks a browser that logged in before. Only log-in and sign-up read it. */
const DEVICE = cookie('svc_device', '/auth');
const DEVICE_SECONDS = 365 * 24 * 60 * 60;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

interface Cookie {
  readonly name: string;
  readonly path: string;
  readonly expression: RegExp;
}

function cookie(name: string, path: string): Cookie {
  return { name, path, expression: new RegExp(`(?:^|;) *${name}=([A-Za-z0-9_-]+) *(?:;|$)`) };
}

function read({ expression }: Cookie, request: FastifyRequest): string | undefined {
  const { cookie: header } = request.headers;
  return header === undefined ? undefined : expression.exec(header)?.[1];
}

export function readSessionCookie(request: FastifyRequest): string | undefined {
  return read(SESSION, request);
}

export function readDeviceCookie(request: FastifyRequest): string | undefined {
  return read(DEVICE, request);
}

export function setDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  trustedProxies: number,
): void {
  set(DEVICE, request, reply, { token, maxAgeSeconds: DEVICE_SECONDS, trustedProxies });
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeSeconds: number,
  trustedProxies: number,
): void {
  set(SESSION, request, reply, { token, maxAgeSeconds, trustedProxies });
}

function set(
  { name, path }: Cookie,
  request: FastifyRequest,
  reply: FastifyReply,
  value: { token: string; maxAgeSeconds: number; trustedProxies: number },
): void {
  const { token, maxAgeSeconds, trustedProxies } = value;
  const parts = [`${name}=${token}`, `Max-Age=${maxAgeSeconds}`, `Path=${path}`, 'HttpOnly'];
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

/** Whether client and address are on this machine, and no proxy is between. */
export function cameByLoopback(request: FastifyRequest, trustedProxies: number): boolean {
  const { remoteAddress = '' } = request.socket;
  const isNear = /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress);
  return (
    isNear &&
    request.headers['x-forwarded-for'] === undefined &&
    isLoopback(request, trustedProxies)
  );
}

/** Behind a proxy the `Host` header may be the proxy's, so every cookie is secure there. */
function isLoopback(request: FastifyRequest, trustedProxies: number): boolean {
  return trustedProxies === 0 && LOOPBACK.test(request.headers.host ?? '');
}
