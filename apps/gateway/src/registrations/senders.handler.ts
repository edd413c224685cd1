import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type BillingCalls,
  type ChangeSenderBody,
  type DispatchCalls,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  inputMessage,
  type Page,
  readPage,
  type RequestSenderBody,
  type ReviewSenderBody,
  SENDER_IDS_MAX,
  type SenderId,
  type SenderRecord,
  type SendersToReviewQuery,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import { isSenderId } from '@watchword/telephony';
import { checkCountry } from '../accounts/settings/workspace-settings.policy.js';
import { BILLING } from '../calls/billing-calls.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { InFlightKeys } from '../calls/in-flight-keys.js';

/** Credits that a workspace must have bought before it may request a sender ID. */
const SENDER_ID_PURCHASE_MIN = 10_000;

type Calls = Pick<
  DispatchCalls,
  | 'requestSender'
  | 'findRequestedSender'
  | 'listSenders'
  | 'changeSender'
  | 'listSendersToReview'
  | 'reviewSender'
>;

/** Handles `/v1/sender-ids`, and its reviews by operators. */
@Injectable()
export class SendersHandler {
  constructor(
    @Inject(DISPATCH) private readonly dispatch: Calls,
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getAccount'>,
    private readonly inFlight: InFlightKeys,
  ) {}

  async request(
    workspaceId: WorkspaceId,
    body: RequestSenderBody,
    claim: IdempotencyClaim | null,
  ): Promise<{ sender: SenderId; replayed: boolean }> {
    if (!isSenderId(body.sender_id)) {
      throw invalid('sender_id', inputMessage('sender_id', 'senderId'));
    }
    checkCountries(body.countries);
    const result = await this.inFlight.during(workspaceId, claim, () =>
      this.ask(workspaceId, body, claim),
    );
    switch (result.verdict) {
      case 'created':
        return { sender: senderOf(result.sender), replayed: result.replayed };
      case 'duplicate':
        throw new ApiError('conflict', {
          field: 'sender_id',
          message: ERROR_MESSAGES.senderExists,
        });
      case 'too_many':
        throw new ApiError('conflict', { message: ERROR_MESSAGES.tooManySenders(SENDER_IDS_MAX) });
      default:
        throw new ApiError('idempotency_conflict');
    }
  }

  async list(workspaceId: WorkspaceId): Promise<{ data: SenderId[] }> {
    const { data } = await this.dispatch.listSenders({ workspace_id: workspaceId });
    return { data: data.map(senderOf) };
  }

  async change(workspaceId: WorkspaceId, id: string, body: ChangeSenderBody): Promise<SenderId> {
    if (body.countries !== undefined) checkCountries(body.countries);
    const result = await this.dispatch.changeSender({
      workspace_id: workspaceId,
      id,
      change: body,
    });
    switch (result.verdict) {
      case 'changed':
        return senderOf(result.sender);
      case 'not_found':
        throw unknownResource('sender_id');
      case 'not_pending':
        throw new ApiError('conflict', { message: ERROR_MESSAGES.senderDecided });
      case 'reviewed_texts_fixed':
        throw new ApiError('conflict', { message: ERROR_MESSAGES.reviewedTextsFixed });
      default:
        throw new ApiError('conflict', {
          field: 'countries',
          message: ERROR_MESSAGES.countryDecided,
        });
    }
  }

  /** Lists those of all workspaces, for operators. */
  listToReview(query: SendersToReviewQuery): Promise<Page<SenderId>> {
    const { status = null, country = null, workspace_id: workspaceId = null } = query;
    if (country !== null) checkCountry(country, 'country');
    return readPage(
      'sender-ids',
      query,
      async (limit, beforeId) => {
        const filters = { workspace_id: workspaceId, status, country };
        return (await this.dispatch.listSendersToReview({ ...filters, limit, before_id: beforeId }))
          .data;
      },
      (records) => records.map(senderOf),
    );
  }

  async review(id: string, body: ReviewSenderBody): Promise<SenderId> {
    const { countries, status, reason, dnd_whitelisted } = body;
    if ((status === 'rejected' || status === 'suspended') && reason === undefined) {
      throw invalid('reason', inputMessage('reason', 'required'));
    }
    const asked = { id, countries, status, reason: reason ?? null, dnd_whitelisted };
    const result = await this.dispatch.reviewSender(asked);
    switch (result.verdict) {
      case 'changed':
        return senderOf(result.sender);
      case 'not_found':
        throw unknownResource('sender_id');
      case 'unknown_country':
        throw invalid('countries', ERROR_MESSAGES.countryNotAsked(result.country));
      default:
        throw new ApiError('conflict', {
          field: 'status',
          message: ERROR_MESSAGES.illegalReview(
            result.country,
            result.current ?? 'pending',
            status,
          ),
        });
    }
  }

  private async ask(
    workspaceId: WorkspaceId,
    body: RequestSenderBody,
    idempotency: IdempotencyClaim | null,
  ): ReturnType<Calls['requestSender']> {
    const missing = await this.missingPurchases(workspaceId);
    if (missing > 0) {
      const earlier = idempotency && (await this.earlier(workspaceId, idempotency));
      if (earlier) return earlier;
      const message = ERROR_MESSAGES.senderShortfall(missing, SENDER_ID_PURCHASE_MIN);
      throw new ApiError('permission_error', { message });
    }
    return this.dispatch.requestSender({
      workspace_id: workspaceId,
      sender_id: body.sender_id,
      countries: body.countries,
      registered_entity: body.registered_entity,
      registration_doc_url: body.registration_doc_url ?? null,
      use_case: body.use_case,
      sample_message: body.sample_message,
      notes: body.notes ?? null,
      idempotency,
    });
  }

  /** Returns the credits that are still to be bought before a sender ID may be requested. */
  private async missingPurchases(workspaceId: WorkspaceId): Promise<number> {
    const account = await this.billing.getAccount({ workspace_id: workspaceId });
    return SENDER_ID_PURCHASE_MIN - (account?.purchased_credits ?? 0);
  }

  /** Answers a replay. A refund may have lowered the purchased credits since the first request. */
  private async earlier(workspaceId: WorkspaceId, idempotency: IdempotencyClaim) {
    const asked = { workspace_id: workspaceId, idempotency };
    const { sender, is_conflict: isConflict } = await this.dispatch.findRequestedSender(asked);
    if (isConflict) return { verdict: 'idempotency_conflict' as const };
    return sender && { verdict: 'created' as const, replayed: true, sender };
  }
}

function checkCountries(countries: readonly string[]): void {
  countries.forEach((country, index) => checkCountry(country, `countries.${index}`));
}

function invalid(field: string, message: ReturnType<typeof inputMessage>): ApiError {
  return new ApiError('validation_error', { field, message });
}

function senderOf({ id, workspace_id: projectId, ...record }: SenderRecord): SenderId {
  return { id, project_id: projectId, ...record };
}
