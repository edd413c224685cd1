import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Req, Res } from '@nestjs/common';
import { routes } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { File } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { noRoute } from '../../edge/server/unknown-route.js';
import { OPERATOR_PAGE, OPERATOR_PAGE_POLICY } from './operator-page.policy.js';
import { answer, documentOf, HTML_TYPE, type PublicDocument } from './public-document.js';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
/** Asked for anew each time, so that page and scripts are always of one build. */
const CACHED = 'no-cache';

/** The operators' page at `/console`, and its scripts, which apps/console compiles. They hold nothing secret. */
@Controller()
export class OperatorPageController {
  private readonly page = documentOf(HTML_TYPE, OPERATOR_PAGE);
  private scripts: ReadonlyMap<string, PublicDocument> | undefined;

  @Operation(routes.getOperatorPage)
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.header('content-security-policy', OPERATOR_PAGE_POLICY);
    reply.header('referrer-policy', 'no-referrer');
    answer(request, reply, this.page, CACHED);
  }

  @Operation(routes.getOperatorPageScript)
  script(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @File() file: string): void {
    this.scripts ??= readScripts();
    const script = this.scripts.get(file);
    if (!script) throw noRoute(request.method, request.originalUrl);
    answer(request, reply, script, CACHED);
  }
}

function readScripts(): Map<string, PublicDocument> {
  const manifest = createRequire(import.meta.url).resolve('@watchword/console/package.json');
  const directory = join(dirname(manifest), 'dist');
  const files = readdirSync(directory).filter((file) => file.endsWith('.js'));
  return new Map(
    files.map((file) => [
      file,
      documentOf(SCRIPT_TYPE, readFileSync(join(directory, file), 'utf8')),
    ]),
  );
}
