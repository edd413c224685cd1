import { Controller, Inject, Req, Res } from '@nestjs/common';
import { ApiError, type BillingCalls, ERROR_MESSAGES, routes } from '@watchword/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BILLING } from '../../calls/billing-calls.js';
import { CallbackGuard } from '../../edge/guards/callback.guard.js';
import { Operation } from '../../edge/server/operation.decorator.js';

/** Signature header of each provider. */
const SIGNATURE_HEADERS = new Map([
  ['stripe', 'stripe-signature'],
  ['paystack', 'x-paystack-signature'],
]);

/**
 * `/callbacks/payments/<provider>`: events of payment providers. Billing has their secrets, so it
 * checks the signature over the raw bytes before it parses them.
 */
@Controller()
export class PaymentCallbackController {
  constructor(
    @Inject(BILLING) private readonly billing: BillingCalls,
    @Inject(CallbackGuard) private readonly guard: CallbackGuard,
  ) {}

  @Operation(routes.receivePaymentCallback)
  async receive(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { provider } = request.params as { provider: string };
    const header = SIGNATURE_HEADERS.get(provider);
    if (header === undefined) return this.guard.fail(request, new ApiError('not_found'));
    const body = typeof request.body === 'string' ? request.body : '';
    const { verdict } = await this.billing.receivePaymentCallback({
      provider,
      signature: String(request.headers[header] ?? ''),
      body_base64: Buffer.from(body).toString('base64'),
    });
    if (verdict === 'forged') return this.guard.fail(request, forged());
    if (verdict === 'unknown_provider') {
      return this.guard.fail(request, new ApiError('not_found'));
    }
    if (verdict === 'malformed') throw new ApiError('validation_error');
    if (verdict === 'too_early') throw new ApiError('conflict', { retryAfterSeconds: 60 });
    reply.code(200).header('content-type', 'text/plain; charset=utf-8').send('OK');
  }
}

function forged(): ApiError {
  return new ApiError('authentication_error', { message: ERROR_MESSAGES.callbackForged });
}
