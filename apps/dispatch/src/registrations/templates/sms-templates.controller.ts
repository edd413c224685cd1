import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  ApiError,
  type ChangeSmsTemplateBody,
  type Clock,
  type CreateSmsTemplateBody,
  dispatchCalls,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  inputMessage,
  isUuid,
  newId,
  type Outcome,
  type Page,
  type PageQuery,
  readPage,
  RENDERED_LENGTH_MAX,
  type RenderedSmsTemplate,
  type RenderSmsTemplateBody,
  type RequestOf,
  routes,
  type SmsTemplate,
  TEMPLATES_MAX,
  unknownResource,
  type WorkspaceId,
  type WorkspaceSettings,
} from '@watchword/contracts';
import {
  Body,
  Caller,
  CallPattern,
  Claim,
  CLOCK,
  DATABASE,
  Id,
  KeyedAnswers,
  Operation,
  Query,
  Settings,
  type WorkspaceCaller,
} from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import {
  measureSegments,
  parseTemplate,
  renderTemplate,
  rewriteText,
  TEMPLATE_VARIABLES_MAX,
} from '@watchword/telephony';
import { freeSlug, slugOf } from './slug.policy.js';
import { TemplateStore } from './template.store.js';

/** `/v1/sms-templates`, and the templates of sends. */
@Controller()
export class SmsTemplatesController {
  private readonly templates: TemplateStore;

  constructor(
    @Inject(DATABASE) database: Queryable,
    private readonly keyed: KeyedAnswers,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.templates = new TemplateStore(database);
  }

  @Operation(routes.createSmsTemplate)
  async create(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Body() body: CreateSmsTemplateBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<SmsTemplate>> {
    checkSlug(body.slug);
    const variables = variablesOf(body.body);
    return this.keyed.once(workspaceId, claim, async (transaction, at) => ({
      body: await create(new TemplateStore(transaction), workspaceId, { ...body, variables }, at),
    }));
  }

  @Operation(routes.listSmsTemplates)
  async list(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Query() query: PageQuery,
  ): Promise<Outcome<Page<SmsTemplate>>> {
    const read = (limit: number, beforeId: string | null) =>
      this.templates.list(workspaceId, limit, beforeId);
    return { body: await readPage('sms-templates', query, read, (templates) => templates) };
  }

  @Operation(routes.getSmsTemplate)
  async get(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: string,
  ): Promise<Outcome<SmsTemplate>> {
    return { body: known(await this.templates.find(workspaceId, 'id', id)) };
  }

  @Operation(routes.updateSmsTemplate)
  async change(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: string,
    @Body() { name, body }: ChangeSmsTemplateBody,
  ): Promise<Outcome<SmsTemplate>> {
    const change = { name, body, variables: body === undefined ? undefined : variablesOf(body) };
    const at = new Date(this.clock.now());
    return { body: known(await this.templates.change(workspaceId, id, change, at)) };
  }

  @Operation(routes.deleteSmsTemplate)
  async delete(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: string,
  ): Promise<Outcome> {
    if (await this.templates.delete(workspaceId, id)) return {};
    throw unknownResource('template');
  }

  /** A key repeats the text that it gave first, although the template has changed since. */
  @Operation(routes.renderSmsTemplate)
  async render(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: string,
    @Body() { variables = {} }: RenderSmsTemplateBody,
    @Claim() claim: IdempotencyClaim | null,
    @Settings() { sms_rewriting: isRewritten }: Pick<WorkspaceSettings, 'sms_rewriting'>,
  ): Promise<Outcome<RenderedSmsTemplate>> {
    return this.keyed.once(workspaceId, claim, async (transaction) => {
      const { body } = known(await new TemplateStore(transaction).find(workspaceId, 'id', id));
      return { body: render(body, new Map(Object.entries(variables)), isRewritten) };
    });
  }

  @CallPattern(dispatchCalls, 'findTemplate')
  async findTemplate({
    workspace_id: workspaceId,
    reference,
  }: RequestOf<'findTemplate'>): AnswerOf<'findTemplate'> {
    const by = isUuid(reference) ? 'id' : 'slug';
    const template = await this.templates.find(workspaceId, by, reference);
    return { template: template && { id: template.id, body: template.body } };
  }
}

interface Wanted extends CreateSmsTemplateBody {
  readonly variables: readonly string[];
}

async function create(
  templates: TemplateStore,
  workspaceId: WorkspaceId,
  { name, slug, body, variables }: Wanted,
  createdAt: Date,
): Promise<SmsTemplate> {
  const wanted = slug ?? slugOf(name);
  await templates.hold(workspaceId);
  const taken = await templates.slugs(workspaceId, wanted.slice(0, 32));
  if (slug !== undefined && taken.has(slug)) {
    throw new ApiError('conflict', { field: 'slug', message: ERROR_MESSAGES.slugTaken });
  }
  if ((await templates.count(workspaceId)) >= TEMPLATES_MAX) {
    throw new ApiError('conflict', { message: ERROR_MESSAGES.tooManyTemplates(TEMPLATES_MAX) });
  }
  const free = freeSlug(wanted, taken);
  return templates.insert({
    ...{ id: newId(), workspaceId, name, slug: free },
    ...{ body, variables, createdAt },
  });
}

/** Renders as a send would: rewritten if the workspace's settings say so, then measured. */
function render(
  template: string,
  values: Parameters<typeof renderTemplate>[1],
  isRewritten: boolean,
): RenderedSmsTemplate {
  const { text, characters, missing } = renderTemplate(template, values, RENDERED_LENGTH_MAX);
  if (text === null) {
    const message = ERROR_MESSAGES.renderedTooLong(characters, RENDERED_LENGTH_MAX);
    throw new ApiError('validation_error', { field: 'template', message });
  }
  const { text: body } = rewriteText(text, isRewritten ? 'standard' : 'off');
  const { segments, encoding } = measureSegments(body);
  return { body, segments, encoding, missing: [...missing] };
}

function known(template: SmsTemplate | null): SmsTemplate {
  if (template === null) throw unknownResource('template');
  return template;
}

function variablesOf(body: string): string[] {
  const parsed = parseTemplate(body);
  if (parsed.ok) return [...parsed.variables];
  const message =
    parsed.problem === 'malformed'
      ? ERROR_MESSAGES.malformedTemplate
      : ERROR_MESSAGES.tooManyVariables(TEMPLATE_VARIABLES_MAX);
  throw new ApiError('validation_error', { field: 'body', message });
}

/** Refuses a slug in the form of an id, because such a reference is an id. */
function checkSlug(slug: string | undefined): void {
  if (slug === undefined || !isUuid(slug)) return;
  const message = inputMessage('slug', 'slugLikeId');
  throw new ApiError('validation_error', { field: 'slug', message });
}
