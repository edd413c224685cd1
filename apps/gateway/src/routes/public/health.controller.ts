import { Controller, Get, Inject, Res } from '@nestjs/common';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { FastifyReply } from 'fastify';
import { within } from '@watchword/platform';

/** A database that hangs is not there, and whoever asks is waiting. */
const READY_WITHIN_MS = 800;
const JSON_TYPE = 'application/json; charset=utf-8';

/** `/health`: the process is alive. `/ready`: it can do its work. */
@Controller()
export class HealthController {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @Get('health')
  health(@Res() reply: FastifyReply): void {
    reply.code(200).header('content-type', JSON_TYPE).send('{"status":"ok"}');
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const answer = this.platform.database.pool.query('SELECT 1');
    const ready = await within(READY_WITHIN_MS, answer).then(
      () => true,
      () => false,
    );
    const body = ready ? '{"status":"ready"}' : '{"status":"unavailable"}';
    reply
      .code(ready ? 200 : 503)
      .header('content-type', JSON_TYPE)
      .send(body);
  }
}
