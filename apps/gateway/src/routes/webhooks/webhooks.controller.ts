import { Controller, Inject } from '@nestjs/common';
import {
  type CreatedWebhook,
  type CreateWebhookBody,
  type DeliveryId,
  type EndpointId,
  type IdempotencyClaim,
  type Page,
  type PageQuery,
  type RecoverWebhookBody,
  type RotatedSecret,
  routes,
  type TestWebhookBody,
  type UpdateWebhookBody,
  type WebhookDeliveriesQuery,
  type WebhookDeliveryRecord,
  type WebhookRecord,
  type WebhookRecovery,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { Body, Caller, Claim, Id, Query, RecoveryId } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { type Replayable, WebhooksHandler } from '../../webhooks/webhooks.handler.js';

type Keyed = IdempotencyClaim | null;

@Controller()
export class WebhooksController {
  constructor(@Inject(WebhooksHandler) private readonly webhooks: WebhooksHandler) {}

  @Operation(routes.createWebhook)
  async create(
    @Caller() caller: KeyCaller,
    @Body() body: CreateWebhookBody,
    @Claim() claim: Keyed,
  ): Promise<Outcome<CreatedWebhook>> {
    return outcome(await this.webhooks.create(keyed(caller, claim), caller.workspace, body));
  }

  @Operation(routes.listWebhooks)
  async list(
    @Caller() { workspace }: KeyCaller,
    @Query() query: PageQuery,
  ): Promise<Outcome<Page<WebhookRecord>>> {
    return { body: await this.webhooks.list(workspace.id, query) };
  }

  @Operation(routes.getWebhook)
  async get(
    @Caller() { workspace }: KeyCaller,
    @Id() id: EndpointId,
  ): Promise<Outcome<WebhookRecord>> {
    return { body: await this.webhooks.get(workspace.id, id) };
  }

  @Operation(routes.updateWebhook)
  async update(
    @Caller() { workspace }: KeyCaller,
    @Id() id: EndpointId,
    @Body() body: UpdateWebhookBody,
  ): Promise<Outcome<WebhookRecord>> {
    return { body: await this.webhooks.update(workspace, id, body) };
  }

  @Operation(routes.deleteWebhook)
  async remove(@Caller() { workspace }: KeyCaller, @Id() id: EndpointId): Promise<Outcome> {
    await this.webhooks.remove(workspace.id, id);
    return {};
  }

  @Operation(routes.rotateWebhookSecret)
  async rotateSecret(
    @Caller() caller: KeyCaller,
    @Id() id: EndpointId,
    @Body() _body: object,
    @Claim() claim: Keyed,
  ): Promise<Outcome<RotatedSecret>> {
    return outcome(await this.webhooks.rotateSecret(keyed(caller, claim), id));
  }

  @Operation(routes.testWebhook)
  async test(
    @Caller() caller: KeyCaller,
    @Id() id: EndpointId,
    @Body() body: TestWebhookBody,
    @Claim() claim: Keyed,
  ): Promise<Outcome<WebhookDeliveryRecord>> {
    return outcome(await this.webhooks.test(keyed(caller, claim), id, body));
  }

  @Operation(routes.listWebhookDeliveries)
  async deliveries(
    @Caller() caller: KeyCaller,
    @Id() id: EndpointId,
    @Query() query: WebhookDeliveriesQuery,
  ): Promise<Outcome> {
    return { body: await this.webhooks.deliveries(keyed(caller, null), id, query) };
  }

  @Operation(routes.replayWebhookDelivery)
  async replay(
    @Caller() caller: KeyCaller,
    @Id() id: DeliveryId,
    @Body() _body: object,
    @Claim() claim: Keyed,
  ): Promise<Outcome<WebhookDeliveryRecord>> {
    return outcome(await this.webhooks.replay(keyed(caller, claim), id));
  }

  @Operation(routes.recoverWebhook)
  async recover(
    @Caller() caller: KeyCaller,
    @Id() id: EndpointId,
    @Body() body: RecoverWebhookBody,
    @Claim() claim: Keyed,
  ): Promise<Outcome<WebhookRecovery>> {
    return outcome(await this.webhooks.recover(keyed(caller, claim), id, body));
  }

  @Operation(routes.getWebhookRecovery)
  async recovery(
    @Caller() { workspace }: KeyCaller,
    @Id() id: EndpointId,
    @RecoveryId() recoveryId: string,
  ): Promise<Outcome<WebhookRecovery>> {
    return { body: await this.webhooks.recovery(workspace.id, id, recoveryId) };
  }
}

function keyed({ workspace, mode }: KeyCaller, claim: Keyed) {
  return { workspaceId: workspace.id, testModeOnly: mode === 'test', claim };
}

function outcome<Answer>({ answer, replayed }: Replayable<Answer>): Outcome<Answer> {
  return { body: answer, replayed };
}
