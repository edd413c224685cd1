import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noRoute } from '../../edge/server/unknown-route.js';
import { HTML_TYPE } from './public-document.js';
import { renderWaitingPage, WAITING_PAGE_POLICY } from './web-page.policy.js';

/** Folders of the sites, beside that of this service. */
const APPS = join(import.meta.dirname, '../../../..');
/** A path of at most one folder: no part begins with a dot. */
const PATH = /^(?:[\w-]+\/)?[\w@-][\w-]*(?:\.[\w-]+)*\.(html|js|css|svg|png|json)$/;
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  json: 'application/json; charset=utf-8',
};
/** For files whose names contain a hash of the content. */
export const FOREVER = 'public, max-age=31536000, immutable';

/** Pages that tools/build-sites.mjs builds: each file as it is, and compressed. They hold nothing secret. */
export class StaticSite {
  private readonly home: string;

  constructor(folder: 'web' | 'docs') {
    this.home = join(APPS, folder);
  }

  /** Returns the text of a file of the build, or undefined. */
  text(name: string): Promise<string | undefined> {
    return readFile(join(this.home, 'dist', name), 'utf8').catch(() => undefined);
  }

  /** Answers while there is no build: how far it is, or that none was begun. */
  async sendProgress(reply: FastifyReply, language: Language): Promise<void> {
    const written = await readFile(join(this.home, '.build-state'), 'utf8').catch(() => undefined);
    const page = renderWaitingPage(written ?? '', language);
    reply.header('content-security-policy', WAITING_PAGE_POLICY);
    reply.code(200).header('content-type', HTML_TYPE).send(page);
  }

  /** Sends a file as the client takes it. Returns false where there is none. */
  async send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<boolean> {
    const [, extension = ''] = PATH.exec(path) ?? [];
    const type = TYPES[extension];
    if (type === undefined) return false;
    const file = join(this.home, 'dist', path);
    const encoding = encodingOf(request.headers['accept-encoding'] ?? '');
    const packed = encoding && (await bytesOf(`${file}.${encoding === 'gzip' ? 'gz' : encoding}`));
    const bytes = packed ?? (await bytesOf(file));
    if (!bytes) return false;
    if (packed) reply.header('content-encoding', encoding);
    reply.header('vary', 'accept-encoding').header('content-type', type).send(bytes);
    return true;
  }

  /** Sends a script, a style or an image, for ever the same under its name, or refuses the path. */
  async sendAsset(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
    reply.code(200).header('cache-control', FOREVER);
    if (!path.endsWith('.html') && (await this.send(request, reply, path))) return;
    reply.removeHeader('cache-control');
    throw noRoute(request.method, request.originalUrl);
  }
}

function bytesOf(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(() => undefined);
}

function encodingOf(accepted: string): 'br' | 'gzip' | undefined {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}
