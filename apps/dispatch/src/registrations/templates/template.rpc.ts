import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  type DispatchCalls,
  dispatchCalls,
  isUuid,
  newId,
  RENDERED_LENGTH_MAX,
  type RequestOf,
  TEMPLATES_MAX,
} from '@watchword/contracts';
import { CallPattern, CLOCK, DATABASE } from '@watchword/platform';
import type { Transactional } from '@watchword/postgres';
import { measureSegments, renderTemplate, rewriteText } from '@watchword/telephony';
import { type Effect, onceByKey } from '../keyed-effect.js';
import { freeSlug, slugOf } from './slug.policy.js';
import { TemplateStore } from './template.store.js';

type Creation = Awaited<ReturnType<DispatchCalls['createTemplate']>>;
type Rendering = Awaited<ReturnType<DispatchCalls['renderTemplate']>>;

/** Answers the gateway's calls about templates. */
@Controller()
export class TemplateRpc {
  private readonly templates: TemplateStore;

  constructor(
    @Inject(DATABASE) private readonly database: Transactional,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.templates = new TemplateStore(database);
  }

  @CallPattern(dispatchCalls, 'createTemplate')
  async createTemplate(request: RequestOf<'createTemplate'>): AnswerOf<'createTemplate'> {
    const { workspace_id: workspaceId, idempotency } = request;
    const at = new Date(this.clock.now());
    const done = await onceByKey(this.database, workspaceId, idempotency, at, (transaction) =>
      create(new TemplateStore(transaction), request, at),
    );
    if (done.outcome === 'idempotency_conflict') return { verdict: done.outcome };
    const { result, replayed } = done;
    return result.verdict === 'created' ? { ...result, replayed } : result;
  }

  @CallPattern(dispatchCalls, 'listTemplates')
  async listTemplates({
    workspace_id: workspaceId,
    limit,
    before_id: beforeId,
  }: RequestOf<'listTemplates'>): AnswerOf<'listTemplates'> {
    return {
      data: await this.templates.list(workspaceId, limit, beforeId),
    };
  }

  @CallPattern(dispatchCalls, 'findTemplate')
  async findTemplate({
    workspace_id: workspaceId,
    reference,
  }: RequestOf<'findTemplate'>): AnswerOf<'findTemplate'> {
    const by = isUuid(reference) ? 'id' : 'slug';
    return { template: await this.templates.find(workspaceId, by, reference) };
  }

  /** By id only: the path names a resource, not a slug. */
  @CallPattern(dispatchCalls, 'renderTemplate')
  async renderTemplate(request: RequestOf<'renderTemplate'>): AnswerOf<'renderTemplate'> {
    const { workspace_id: workspaceId, idempotency } = request;
    const at = new Date(this.clock.now());
    const done = await onceByKey(this.database, workspaceId, idempotency, at, (transaction) =>
      render(new TemplateStore(transaction), request),
    );
    if (done.outcome === 'idempotency_conflict') return { verdict: done.outcome };
    const { result, replayed } = done;
    return result.verdict === 'rendered' ? { ...result, replayed } : result;
  }

  @CallPattern(dispatchCalls, 'changeTemplate')
  async changeTemplate({
    workspace_id: workspaceId,
    template_id: id,
    ...change
  }: RequestOf<'changeTemplate'>): AnswerOf<'changeTemplate'> {
    const at = new Date(this.clock.now());
    if (!isUuid(id)) return { template: null };
    return { template: await this.templates.change(workspaceId, id, change, at) };
  }

  @CallPattern(dispatchCalls, 'deleteTemplate')
  async deleteTemplate({
    workspace_id: workspaceId,
    template_id: id,
  }: RequestOf<'deleteTemplate'>): AnswerOf<'deleteTemplate'> {
    return {
      deleted: isUuid(id) && (await this.templates.delete(workspaceId, id)),
    };
  }
}

async function create(
  templates: TemplateStore,
  request: Parameters<DispatchCalls['createTemplate']>[0],
  createdAt: Date,
): Promise<Effect<Creation>> {
  const { workspace_id: workspaceId, name, body, variables } = request;
  const wanted = request.slug ?? slugOf(name);
  await templates.hold(workspaceId);
  const taken = await templates.slugs(workspaceId, wanted.slice(0, 32));
  if (request.slug !== null && taken.has(wanted)) {
    return { id: null, result: { verdict: 'slug_taken' } };
  }
  if ((await templates.count(workspaceId)) >= TEMPLATES_MAX) {
    return { id: null, result: { verdict: 'too_many' } };
  }
  const id = newId();
  const slug = freeSlug(wanted, taken);
  const template = await templates.insert({
    id,
    workspaceId,
    name,
    slug,
    body,
    variables,
    createdAt,
  });
  return { id, result: { verdict: 'created', replayed: false, template } };
}

/** As a send would measure it: rewritten if the workspace's settings say so. */
async function render(
  templates: TemplateStore,
  request: RequestOf<'renderTemplate'>,
): Promise<Effect<Rendering>> {
  const { workspace_id: workspaceId, template_id: id, variables, rewriting } = request;
  const template = isUuid(id) ? await templates.find(workspaceId, 'id', id) : null;
  if (template === null) return { id: null, result: { verdict: 'not_found' } };
  const values = new Map(Object.entries(variables));
  const { text, characters, missing } = renderTemplate(template.body, values, RENDERED_LENGTH_MAX);
  if (text === null) return { id: null, result: { verdict: 'too_long', characters } };
  const { text: body } = rewriteText(text, rewriting ? 'standard' : 'off');
  const { segments, encoding } = measureSegments(body);
  const rendered = { body, segments, encoding, missing: [...missing] };
  return { id, result: { verdict: 'rendered', replayed: false, rendered } };
}
