import { Controller, Inject } from '@nestjs/common';
import { type OperatorPaymentQuery, type PaymentId, routes } from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import { PaymentsHandler } from '../../billing/payments.handler.js';
import { Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

@Controller()
export class OperatorPaymentsController {
  constructor(@Inject(PaymentsHandler) private readonly payments: PaymentsHandler) {}

  @Operation(routes.searchPayments)
  search(@Query() query: OperatorPaymentQuery): Promise<Outcome> {
    return this.payments.search(query);
  }

  @Operation(routes.confirmPayment)
  confirm(@Id() id: PaymentId): Promise<Outcome> {
    return this.payments.confirm(id);
  }
}
