import { Controller, Inject, Res } from '@nestjs/common';
import { routes } from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { FastifyReply } from 'fastify';
import { Operation } from '../../edge/server/operation.decorator.js';

/** Milliseconds between questions to the database, however many requests come. */
const READY_KEPT_MS = 1_000;
const JSON_TYPE = 'application/json; charset=utf-8';

/** `/health`: the process is alive. `/ready`: it can do its work. */
@Controller()
export class HealthController {
  private latest = { askedAtMs: -Infinity, isReady: Promise.resolve(false) };

  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  @Operation(routes.getHealth)
  health(@Res() reply: FastifyReply): void {
    reply.code(200).header('content-type', JSON_TYPE).send('{"status":"ok"}');
  }

  @Operation(routes.getReadiness)
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const isReady = await this.latestPoll();
    const body = isReady ? '{"status":"ready"}' : '{"status":"unavailable"}';
    if (!isReady) reply.header('retry-after', READY_KEPT_MS / 1_000);
    reply
      .code(isReady ? 200 : 503)
      .header('content-type', JSON_TYPE)
      .send(body);
  }

  /** Returns the last result unless it is older than a second. The clock may have been set back. */
  private latestPoll(): Promise<boolean> {
    const nowMs = this.platform.clock.now();
    const ageMs = Math.abs(nowMs - this.latest.askedAtMs);
    if (ageMs >= READY_KEPT_MS) this.latest = { askedAtMs: nowMs, isReady: this.look() };
    return this.latest.isReady;
  }

  private look(): Promise<boolean> {
    return this.platform.database.pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }
}
