import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** Sends errors of controllers the same way as those of Fastify. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly fail: Fail) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.fail(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}
