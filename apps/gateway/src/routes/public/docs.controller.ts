import { Controller, Req, Res } from '@nestjs/common';
import { type Language, routes } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnswerLanguage, File, Section } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { StaticSite } from './static-site.js';
import { docsPolicy } from './web-page.policy.js';

/** For files that keep their name when they change. */
const BRIEFLY = 'public, max-age=300';

/** `/docs`: guides and the reference of the API, which apps/docs builds. */
@Controller()
export class DocsController {
  private readonly site = new StaticSite('docs');

  @Operation(routes.getDocs)
  home(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @AnswerLanguage() language: Language,
  ): Promise<void> {
    return this.page('index', request, reply, language);
  }

  @Operation(routes.getDocsPage)
  async show(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @File() file: string,
    @AnswerLanguage() language: Language,
  ): Promise<void> {
    if (!file.includes('.')) return this.page(file, request, reply, language);
    reply.code(200).header('cache-control', BRIEFLY);
    if (await this.site.send(request, reply, file)) return;
    return this.page('404', request, reply, language);
  }

  @Operation(routes.getDocsFile)
  async file(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Section() section: string,
    @File() file: string,
    @AnswerLanguage() language: Language,
  ): Promise<void> {
    const path = `${section}/${file}`;
    if (section === 'assets') return this.site.sendAsset(request, reply, path);
    return this.page(path, request, reply, language);
  }

  private async page(
    path: string,
    request: FastifyRequest,
    reply: FastifyReply,
    language: Language,
  ): Promise<void> {
    const scripts = await this.site.text('inline-scripts.txt');
    reply.header('referrer-policy', 'no-referrer');
    if (scripts === undefined) {
      reply.header('cache-control', 'no-store');
      return this.site.sendProgress(reply, language);
    }
    reply.header('content-security-policy', docsPolicy(scripts));
    reply.code(path === '404' ? 404 : 200).header('cache-control', 'no-cache');
    if (await this.site.send(request, reply, `${path}.html`)) return;
    reply.code(404);
    await this.site.send(request, reply, '404.html');
  }
}
