import { Controller, Inject } from '@nestjs/common';
import {
  type CreatePaymentBody,
  type IdempotencyClaim,
  type PageQuery,
  type PaymentId,
  type PutTopUpBody,
  routes,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Member as Person } from '../../people/account.js';
import { PaymentsHandler } from '../../billing/payments.handler.js';
import { Body, Claim, Id, Member, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';

/** Buying credits. */
@Controller()
export class ConsolePaymentsController {
  constructor(@Inject(PaymentsHandler) private readonly payments: PaymentsHandler) {}

  @Operation(routes.createPayment)
  create(
    @Member() member: Person,
    @Body() body: CreatePaymentBody,
    @Claim() idempotency: IdempotencyClaim | null,
  ): Promise<Outcome> {
    return this.payments.create(member, body, idempotency);
  }

  @Operation(routes.listPayments)
  list(@Member() { workspaceId }: Person, @Query() query: PageQuery): Promise<Outcome> {
    return this.payments.list(workspaceId, query);
  }

  @Operation(routes.getPayment)
  get(@Member() { workspaceId }: Person, @Id() id: PaymentId): Promise<Outcome> {
    return this.payments.get(workspaceId, id);
  }

  @Operation(routes.getTopUp)
  getTopUp(@Member() { workspaceId }: Person): Promise<Outcome> {
    return this.payments.topUp(workspaceId);
  }

  @Operation(routes.putTopUp)
  putTopUp(@Member() member: Person, @Body() body: PutTopUpBody): Promise<Outcome> {
    return this.payments.setTopUp(member, body);
  }

  @Operation(routes.deleteAuthorisation)
  deleteAuthorisation(@Member() { workspaceId }: Person): Promise<Outcome> {
    return this.payments.deleteAuthorisation(workspaceId);
  }
}
