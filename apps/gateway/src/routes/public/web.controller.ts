import { randomBytes } from 'node:crypto';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import { type Language, routes } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnswerLanguage, File } from '../../edge/request/parameters.js';
import { readSessionCookie } from '../../edge/request/session-cookie.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { handsetOf } from './handset.js';
import { HTML_TYPE } from './public-document.js';
import { StaticSite } from './static-site.js';
import { webPagePolicy } from './web-page.policy.js';

/** `/app`: the pages of customers and operators, which apps/web builds. They hold nothing secret. */
@Controller()
export class WebController {
  private readonly site = new StaticSite('web');
  private readonly handset: string;

  constructor(@Inject(PLATFORM) { config }: Platform) {
    this.handset = handsetOf(config) ?? '';
  }

  @Operation(routes.getWebPage)
  async show(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @AnswerLanguage() language: Language,
  ): Promise<void> {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    const page = await this.site.text('index.html');
    if (page === undefined) return this.site.sendProgress(reply, language);
    const nonce = randomBytes(16).toString('base64');
    reply.header('content-security-policy', webPagePolicy(nonce));
    const session = readSessionCookie(request) === undefined ? 'none' : 'given';
    const filled = page
      .replace('{{nonce}}', nonce)
      .replace('{{handset}}', this.handset)
      .replace('{{session}}', session);
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
    await this.site.sendAsset(request, reply, file);
  }
}
