import { Controller, Inject } from '@nestjs/common';
import {
  type ChangeSmsTemplateBody,
  type CreateSmsTemplateBody,
  type IdempotencyClaim,
  type Page,
  type PageQuery,
  type RenderedSmsTemplate,
  type RenderSmsTemplateBody,
  routes,
  type SmsTemplate,
} from '@watchword/contracts';
import type { Outcome } from '../../accounts/audit/outcome.js';
import type { Caller as KeyCaller } from '../../accounts/keys/key-directory.port.js';
import { Body, Caller, Claim, Id, Query } from '../../edge/request/parameters.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { TemplatesHandler } from '../../registrations/templates.handler.js';

/** `/v1/sms-templates` */
@Controller()
export class SmsTemplatesController {
  constructor(@Inject(TemplatesHandler) private readonly templates: TemplatesHandler) {}

  @Operation(routes.createSmsTemplate)
  async create(
    @Caller() { workspace }: KeyCaller,
    @Body() body: CreateSmsTemplateBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<SmsTemplate>> {
    const { template, replayed } = await this.templates.create(workspace.id, body, claim);
    return { body: template, replayed };
  }

  @Operation(routes.listSmsTemplates)
  async list(
    @Caller() { workspace }: KeyCaller,
    @Query() query: PageQuery,
  ): Promise<Outcome<Page<SmsTemplate>>> {
    return { body: await this.templates.list(workspace.id, query) };
  }

  @Operation(routes.getSmsTemplate)
  async get(@Caller() { workspace }: KeyCaller, @Id() id: string): Promise<Outcome<SmsTemplate>> {
    return { body: await this.templates.get(workspace.id, id) };
  }

  @Operation(routes.updateSmsTemplate)
  async change(
    @Caller() { workspace }: KeyCaller,
    @Id() id: string,
    @Body() body: ChangeSmsTemplateBody,
  ): Promise<Outcome<SmsTemplate>> {
    return { body: await this.templates.change(workspace.id, id, body) };
  }

  @Operation(routes.deleteSmsTemplate)
  async delete(@Caller() { workspace }: KeyCaller, @Id() id: string): Promise<Outcome> {
    await this.templates.delete(workspace.id, id);
    return {};
  }

  @Operation(routes.renderSmsTemplate)
  async render(
    @Caller() { workspace }: KeyCaller,
    @Id() id: string,
    @Body() { variables = {} }: RenderSmsTemplateBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<RenderedSmsTemplate>> {
    const done = await this.templates.render(workspace, id, variables, claim);
    return { body: done.rendered, replayed: done.replayed };
  }
}
