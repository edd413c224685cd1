import { Inject, Injectable } from '@nestjs/common';
import {
  type CreateSmsBody,
  type DispatchCalls,
  type IdempotencyClaim,
  type SendSmsBody,
  type WorkspaceId,
} from '@watchword/contracts';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { NOTHING_FOUND, DestinationChecks } from '../../registrations/destination-checks.js';
import { AcceptSendHandler, type AcceptedSend, type PreparedSend } from '../accept-send.handler.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import type { SendWords } from '../../inputs/send-words.policy.js';
import { ComposeSms, type SmsRequest, type Templates } from './compose-sms.js';
import { smsRequestOfVariantA, smsRequestOfVariantB } from './sms-request.policy.js';

/** Sends a single SMS of either variant: rewritten, measured, counted, charged and queued. */
@Injectable()
export class SendSmsHandler {
  constructor(
    private readonly acceptance: AcceptSendHandler,
    private readonly compose: ComposeSms,
    private readonly checks: DestinationChecks,
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'findTemplate'>,
  ) {}

  /** `POST /v1/sms/send` */
  sendTransactional(
    caller: Caller,
    body: SendSmsBody,
    claim: IdempotencyClaim | null,
  ): Promise<AcceptedSend> {
    return this.send(caller, claim, smsRequestOfVariantA(body));
  }

  /** `POST /v1/sms`, and an agent's `send_sms`, which has other error names. */
  sendMessage(
    caller: Caller,
    body: CreateSmsBody,
    claim: IdempotencyClaim | null,
    words?: SendWords,
  ): Promise<AcceptedSend> {
    return this.send(caller, claim, smsRequestOfVariantB(body, words));
  }

  private send(
    caller: Caller,
    claim: IdempotencyClaim | null,
    request: SmsRequest,
  ): Promise<AcceptedSend> {
    return this.acceptance.accept(caller.workspace.id, claim, () => this.prepare(caller, request));
  }

  private async prepare(caller: Caller, request: SmsRequest): Promise<PreparedSend> {
    const templates = await this.templatesOf(caller.workspace.id, request);
    const draft = this.compose.draft(caller, request, templates);
    const question = this.compose.question(caller, draft);
    const asked = caller.mode === 'test' ? [] : [question];
    const [finding = NOTHING_FOUND] = await this.checks.find(asked, caller.workspace.settings);
    return this.compose.admit(caller, draft, finding);
  }

  private async templatesOf(
    workspaceId: WorkspaceId,
    { template }: SmsRequest,
  ): Promise<Templates> {
    if (template === undefined) return new Map();
    const asked = { workspace_id: workspaceId, reference: template };
    const { template: found } = await this.dispatch.findTemplate(asked);
    return found === null ? new Map() : new Map([[template, found]]);
  }
}
