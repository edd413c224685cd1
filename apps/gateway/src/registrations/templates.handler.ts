import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type ChangeSmsTemplateBody,
  type CreateSmsTemplateBody,
  type DispatchCalls,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  inputMessage,
  isUuid,
  type Page,
  type PageQuery,
  readPage,
  RENDERED_LENGTH_MAX,
  type RenderedSmsTemplate,
  type SmsTemplate,
  type TemplateRecord,
  TEMPLATES_MAX,
  type TemplateVariables,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { parseTemplate, TEMPLATE_VARIABLES_MAX } from '@watchword/telephony';
import type { Workspace } from '../accounts/workspaces/workspace.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';
import { renderedTooLong } from './template-text.policy.js';

type Calls = Pick<
  DispatchCalls,
  | 'createTemplate'
  | 'listTemplates'
  | 'findTemplate'
  | 'renderTemplate'
  | 'changeTemplate'
  | 'deleteTemplate'
>;

/** Handles `/v1/sms-templates`. */
@Injectable()
export class TemplatesHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Calls,
    private readonly inFlight: InFlightKeys,
  ) {}

  async create(
    workspaceId: WorkspaceId,
    { name, body, slug }: CreateSmsTemplateBody,
    claim: IdempotencyClaim | null,
  ): Promise<{ template: SmsTemplate; replayed: boolean }> {
    checkSlug(slug);
    const asked = {
      workspace_id: workspaceId,
      name,
      body,
      slug: slug ?? null,
      variables: variablesOf(body),
      idempotency: claim,
    };
    const result = await this.inFlight.during(workspaceId, claim, () =>
      this.dispatch.createTemplate(asked),
    );
    switch (result.verdict) {
      case 'created':
        return { template: templateOf(result.template), replayed: result.replayed };
      case 'slug_taken':
        throw new ApiError('conflict', { field: 'slug', message: ERROR_MESSAGES.slugTaken });
      case 'too_many':
        throw new ApiError('conflict', { message: ERROR_MESSAGES.tooManyTemplates(TEMPLATES_MAX) });
      default:
        throw new ApiError('idempotency_conflict');
    }
  }

  list(workspaceId: WorkspaceId, query: PageQuery): Promise<Page<SmsTemplate>> {
    return readPage(
      'sms-templates',
      query,
      async (limit, beforeId) => {
        const asked = { workspace_id: workspaceId, limit, before_id: beforeId };
        return (await this.dispatch.listTemplates(asked)).data;
      },
      (records) => records.map(templateOf),
    );
  }

  async get(workspaceId: WorkspaceId, id: string): Promise<SmsTemplate> {
    return templateOf(await this.find(workspaceId, id));
  }

  async change(
    workspaceId: WorkspaceId,
    id: string,
    { name, body }: ChangeSmsTemplateBody,
  ): Promise<SmsTemplate> {
    const { template } = await this.dispatch.changeTemplate({
      workspace_id: workspaceId,
      template_id: id,
      name,
      body,
      variables: body === undefined ? undefined : variablesOf(body),
    });
    if (template === null) throw unknownResource('template');
    return templateOf(template);
  }

  async delete(workspaceId: WorkspaceId, id: string): Promise<void> {
    const asked = { workspace_id: workspaceId, template_id: id };
    const { deleted } = await this.dispatch.deleteTemplate(asked);
    if (!deleted) throw unknownResource('template');
  }

  /** Renders as a send would: rewritten if the workspace's settings say so, then measured. */
  async render(
    { id: workspaceId, settings }: Pick<Workspace, 'id' | 'settings'>,
    id: string,
    variables: TemplateVariables,
    claim: IdempotencyClaim | null,
  ): Promise<{ rendered: RenderedSmsTemplate; replayed: boolean }> {
    const asked = {
      ...{ workspace_id: workspaceId, template_id: id, variables },
      ...{ rewriting: settings.sms_rewriting, idempotency: claim },
    };
    const result = await this.inFlight.during(workspaceId, claim, () =>
      this.dispatch.renderTemplate(asked),
    );
    switch (result.verdict) {
      case 'rendered':
        return result;
      case 'too_long':
        throw renderedTooLong(result.characters, RENDERED_LENGTH_MAX);
      case 'not_found':
        throw unknownResource('template');
      default:
        throw new ApiError('idempotency_conflict');
    }
  }

  /** Finds by id only: the path names a resource, not a slug. */
  private async find(workspaceId: WorkspaceId, id: string): Promise<TemplateRecord> {
    const asked = { workspace_id: workspaceId, reference: id };
    const { template } = await this.dispatch.findTemplate(asked);
    if (template === null || template.id !== id.toLowerCase()) throw unknownResource('template');
    return template;
  }
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

function templateOf({ id, workspace_id: projectId, ...record }: TemplateRecord): SmsTemplate {
  return { id, project_id: projectId, ...record };
}

/** Refuses a slug in the form of an id, because such a reference is an id. */
function checkSlug(slug: string | undefined): void {
  if (slug === undefined || !isUuid(slug)) return;
  const message = inputMessage('slug', 'slugLikeId');
  throw new ApiError('validation_error', { field: 'slug', message });
}
