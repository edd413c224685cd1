import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type DestinationFinding,
  type DispatchCalls,
  type IdempotencyClaim,
  inputMessage,
  INPUT_PROBLEMS,
  type Language,
  type SmsBatchAnswer,
  type SmsBatchBody,
  type TemplateText,
  SmsBatchItem,
  type WorkspaceId,
} from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { compileBody } from '../../inputs/validation.policy.js';
import { TrialWorkspaces } from '../../limits/trial-workspaces.js';
import { NOTHING_FOUND, DestinationChecks } from '../../registrations/destination-checks.js';
import { AcceptSendBatchHandler, orRefusal, type Step } from '../accept-batch.handler.js';
import type { PreparedSend } from '../accept-send.handler.js';
import { batchAnswer, misfitOf } from '../batch-answer.policy.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { VARIANT_B_WORDS } from '../../inputs/send-words.policy.js';
import { itemBody, type ReadItem } from './batch-items.policy.js';
import { ComposeSms, type DraftSms, type Templates } from './compose-sms.js';
import { readSendAt } from './send-at.policy.js';
import { messageOf } from './sms-answers.policy.js';
import { readSenderId } from './sms-text.policy.js';
import { smsRequestOfVariantB } from './sms-request.policy.js';
import { unknownTemplate } from '../../registrations/template-text.policy.js';

export interface BatchRequest {
  readonly body: SmsBatchBody;
  readonly claim: IdempotencyClaim | null;
  /** Language of the items' errors. */
  readonly language: Language;
}

export interface AcceptedBatch {
  readonly answer: SmsBatchAnswer;
  readonly replayed: boolean;
}

const readItem: ReadItem = compileBody(SmsBatchItem);

/**
 * Sends many messages in one request: each item passes or fails by itself, and passing ones are
 * accepted in one transaction, in order. One idempotency key replays the whole answer, errors
 * included.
 */
@Injectable()
export class SendBatchHandler {
  constructor(
    private readonly acceptance: AcceptSendBatchHandler,
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'findTemplate'>,
    private readonly compose: ComposeSms,
    private readonly checks: DestinationChecks,
    private readonly trials: TrialWorkspaces,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async send(caller: Caller, request: BatchRequest): Promise<AcceptedBatch> {
    const workspaceId = caller.workspace.id;
    const { body, claim, language } = request;
    const { outcomes, replayed } = await this.acceptance.accept(
      workspaceId,
      { claim, language },
      async () => {
        checkEnvelope(body, this.clock.now());
        const shared = await this.sharedTemplate(workspaceId, body.template);
        readSenderId(body.from, VARIANT_B_WORDS.sender);
        // Unconfirmed trial credits refuse the batch as they refuse a send.
        await this.trials.check(caller);
        return this.prepare(caller, body, shared);
      },
    );
    const answer = batchAnswer(outcomes, {
      shown: (command) => ({ sms: messageOf(command) }),
      words: VARIANT_B_WORDS,
      language,
    });
    return { answer, replayed };
  }

  /** Checks every rule except the balance, each once for all items. */
  private async prepare(
    caller: Caller,
    body: SmsBatchBody,
    shared: Templates,
  ): Promise<Step<PreparedSend>[]> {
    const bodies = body.messages.map((item) => orRefusal(() => itemBody(body, item, readItem)));
    const references = bodies.map((one) => (one instanceof ApiError ? undefined : one.template));
    const templates = await this.templatesOf(caller.workspace.id, references, shared);
    const drafts = bodies.map((one) =>
      one instanceof ApiError
        ? one
        : orRefusal(() => this.compose.draft(caller, smsRequestOfVariantB(one), templates)),
    );
    const findings = await this.findingsOf(caller, drafts);
    const admitted: Step<PreparedSend>[] = [];
    for (const [index, draft] of drafts.entries()) {
      admitted.push(await this.admit(caller, draft, findings[index]));
    }
    return admitted;
  }

  /** Returns the batch's own template. An unknown one refuses the whole batch. */
  private async sharedTemplate(
    workspaceId: WorkspaceId,
    reference: string | undefined,
  ): Promise<Templates> {
    if (reference === undefined) return new Map();
    const found = await this.templatesOf(workspaceId, [reference], new Map());
    if (found.size === 0) throw unknownTemplate();
    return found;
  }

  private async templatesOf(
    workspaceId: WorkspaceId,
    references: readonly (string | undefined)[],
    shared: Templates,
  ): Promise<Templates> {
    const named = new Set(references.filter((one) => one !== undefined));
    const wanted = [...named].filter((reference) => !shared.has(reference));
    const found = await Promise.all(
      wanted.map(async (reference): Promise<[string, TemplateText | null]> => {
        const asked = { workspace_id: workspaceId, reference };
        return [reference, (await this.dispatch.findTemplate(asked)).template];
      }),
    );
    const known = found.filter((one): one is [string, TemplateText] => one[1] !== null);
    return new Map([...shared, ...known]);
  }

  /** Test mode asks no registry. */
  private async findingsOf(
    caller: Caller,
    drafts: readonly Step<DraftSms>[],
  ): Promise<(DestinationFinding | undefined)[]> {
    if (caller.mode === 'test') return [];
    const { checks, compose } = this;
    const asked = drafts.filter((draft): draft is DraftSms => !(draft instanceof ApiError));
    const questions = asked.map((draft) => compose.question(caller, draft));
    const found = await checks.find(questions, caller.workspace.settings);
    const byDraft = new Map(asked.map((draft, index) => [draft, found[index]]));
    return drafts.map((draft) => (draft instanceof ApiError ? undefined : byDraft.get(draft)));
  }

  private async admit(
    caller: Caller,
    draft: Step<DraftSms>,
    finding: DestinationFinding = NOTHING_FOUND,
  ): Promise<Step<PreparedSend>> {
    if (draft instanceof ApiError) return draft;
    try {
      return await this.compose.admit(caller, draft, finding);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }
}

/** Faults outside the items refuse the whole batch. */
function checkEnvelope({ messages, send_at: sendAt }: SmsBatchBody, nowMs: number): void {
  readSendAt(sendAt, nowMs);
  const misfit = misfitOf(messages);
  if (misfit === undefined) return;
  const field = `messages.${misfit}`;
  const message = inputMessage(field, INPUT_PROBLEMS.mustBe(['an object']));
  throw new ApiError('validation_error', { field, message });
}
