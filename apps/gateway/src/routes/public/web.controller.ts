import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import { type Language, routes } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnswerLanguage, File } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { noRoute } from '../../edge/server/unknown-route.js';
import { handsetOf } from './handset.js';
import { HTML_TYPE } from './public-document.js';
import { renderWaitingPage, WAITING_PAGE_POLICY, webPagePolicy } from './web-page.policy.js';

/** What Vite builds from apps/web, beside its state while it is built. */
const WEB = join(import.meta.dirname, '../../../../web');
const BUILT = join(WEB, 'dist');
const FILE = /^[\w-]+(?:\.[\w-]+)*\.(js|css|svg)$/;
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
/** Names contain a hash of the content. */
const FOREVER = 'public, max-age=31536000, immutable';

/** `/app`: the pages of customers and operators, which apps/web builds. They hold nothing secret. */
@Controller()
export class WebController {
  private readonly handset: string;

  constructor(@Inject(PLATFORM) { config }: Platform) {
    this.handset = handsetOf(config) ?? '';
  }

  @Operation(routes.getWebPage)
  async show(@Res() reply: FastifyReply, @AnswerLanguage() language: Language): Promise<void> {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    const page = await textOf(join(BUILT, 'index.html'));
    if (page === undefined) {
      const state = (await textOf(join(WEB, '.build-state'))) ?? '';
      reply.header('content-security-policy', WAITING_PAGE_POLICY).header('retry-after', 3);
      reply.code(503).header('content-type', HTML_TYPE).send(renderWaitingPage(state, language));
      return;
    }
    const nonce = randomBytes(16).toString('base64');
    reply.header('content-security-policy', webPagePolicy(nonce));
    const filled = page.replace('{{nonce}}', nonce).replace('{{handset}}', this.handset);
    reply.code(200).header('content-type', HTML_TYPE).send(filled);
  }

  @Operation(routes.getOperatorPage)
  goToOperators(@Res() reply: FastifyReply): void {
    reply.code(302).header('location', `${routes.getWebPage.path}#/operator/messages`).send();
  }

  @Operation(routes.getWebFile)
  async file(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @File() file: string,
  ): Promise<void> {
    const [, extension = ''] = FILE.exec(file) ?? [];
    const encoding = encodingOf(request.headers['accept-encoding'] ?? '');
    const suffix = encoding === undefined ? '' : `.${encoding === 'gzip' ? 'gz' : encoding}`;
    const bytes =
      extension === ''
        ? undefined
        : await readFile(join(BUILT, file + suffix)).catch(() => undefined);
    if (!bytes) throw noRoute(request.method, request.originalUrl);
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    reply.header('vary', 'accept-encoding').header('cache-control', FOREVER);
    reply.code(200).header('content-type', TYPES[extension]).send(bytes);
  }
}

function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

/** The build writes each file three times. */
function encodingOf(accepted: string): 'br' | 'gzip' | undefined {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}
