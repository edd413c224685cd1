import { Controller, Inject } from '@nestjs/common';
import {
  ApiError,
  type ChangeSenderBody,
  type Clock,
  ERROR_MESSAGES,
  type ErrorText,
  type IdempotencyClaim,
  inputMessage,
  newId,
  type Outcome,
  type Page,
  readPage,
  type RequestSenderBody,
  type ReviewSenderBody,
  routes,
  SENDER_IDS_MAX,
  type SenderApplication,
  type SenderEvent,
  type SenderId,
  type SenderRecord,
  type SenderReview,
  type SendersToReviewQuery,
  unknownResource,
  type WorkspaceId,
} from '@watchword/contracts';
import {
  Body,
  Caller,
  checkCountry,
  Claim,
  CLOCK,
  DATABASE,
  Id,
  KeyedAnswers,
  Operation,
  Query,
  type WorkspaceCaller,
} from '@watchword/platform';
import type { Queryable, Transactional } from '@watchword/postgres';
import { foldSenderId, isSenderId } from '@watchword/telephony';
import { announceRegistration } from '../announce-registration.js';
import { isLegalStep } from './sender.machine.js';
import { SenderStore } from './sender.store.js';

/** Credits that a workspace must have bought before it may request a sender ID. */
const PURCHASE_MIN = 10_000;

/** `/v1/sender-ids`: requested by workspaces, decided country by country by operators. */
@Controller()
export class SenderIdsController {
  constructor(
    @Inject(DATABASE) private readonly database: Transactional,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly keyed: KeyedAnswers,
  ) {}

  @Operation(routes.requestSenderId)
  async request(
    @Caller() { workspace_id: workspaceId, purchased_credits: purchased = 0 }: WorkspaceCaller,
    @Body() body: RequestSenderBody,
    @Claim() claim: IdempotencyClaim | null,
  ): Promise<Outcome<SenderId>> {
    if (!isSenderId(body.sender_id)) {
      throw invalid('sender_id', inputMessage('sender_id', 'senderId'));
    }
    checkCountries(body.countries);
    if (purchased < PURCHASE_MIN) {
      // A refund may have lowered the purchased credits since the first request.
      const earlier = await this.keyed.find<SenderId>(workspaceId, claim);
      if (earlier) return earlier;
      const message = ERROR_MESSAGES.senderShortfall(PURCHASE_MIN - purchased, PURCHASE_MIN);
      throw new ApiError('permission_error', { message });
    }
    return this.keyed.once(workspaceId, claim, async (transaction, at) => ({
      body: shown(await create(new SenderStore(transaction), workspaceId, body, at)),
    }));
  }

  @Operation(routes.listSenderIds)
  async list(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
  ): Promise<Outcome<{ data: SenderId[] }>> {
    const senders = await new SenderStore(this.database).list(workspaceId);
    return { body: { data: senders.map(shown) } };
  }

  @Operation(routes.updateSenderId)
  async change(
    @Caller() { workspace_id: workspaceId }: WorkspaceCaller,
    @Id() id: string,
    @Body() body: ChangeSenderBody,
  ): Promise<Outcome<SenderId>> {
    if (body.countries !== undefined) checkCountries(body.countries);
    const sender = await this.database.transaction((transaction) =>
      change(new SenderStore(transaction), workspaceId, id, body, this.now()),
    );
    return { body: shown(sender) };
  }

  @Operation(routes.listSenderIdsToReview)
  async listToReview(@Query() query: SendersToReviewQuery): Promise<Outcome<Page<SenderId>>> {
    const { status = null, country = null, workspace_id: workspaceId = null } = query;
    if (country !== null) checkCountry(country, 'country');
    const senders = new SenderStore(this.database);
    const page = readPage(
      'sender-ids',
      query,
      (limit, beforeId) => senders.listToReview({ workspaceId, status, country, limit, beforeId }),
      (records) => records.map(shown),
    );
    return { body: await page };
  }

  @Operation(routes.reviewSenderId)
  async review(@Id() id: string, @Body() body: ReviewSenderBody): Promise<Outcome<SenderId>> {
    const { status, reason } = body;
    if ((status === 'rejected' || status === 'suspended') && reason === undefined) {
      throw invalid('reason', inputMessage('reason', 'required'));
    }
    const sender = await this.database.transaction((transaction) =>
      review(transaction, id, body, this.now()),
    );
    return {
      body: shown(sender),
      effect: { ...body, workspace_id: sender.workspace_id, sender_id: id },
    };
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

async function create(
  senders: SenderStore,
  workspaceId: WorkspaceId,
  { sender_id: senderId, registration_doc_url = null, notes = null, ...texts }: RequestSenderBody,
  at: Date,
): Promise<SenderRecord> {
  await senders.hold(workspaceId);
  const known = await senders.list(workspaceId);
  const folded = foldSenderId(senderId);
  const isSame = (other: SenderRecord) =>
    foldSenderId(other.sender_id) === folded && isLiving(other);
  if (known.some(isSame)) throw conflict(ERROR_MESSAGES.senderExists, 'sender_id');
  if (known.length >= SENDER_IDS_MAX) throw conflict(ERROR_MESSAGES.tooManySenders(SENDER_IDS_MAX));
  const id = newId();
  const application = { ...texts, registration_doc_url, notes };
  await senders.insert(id, workspaceId, senderId, application, at);
  return take(senders, id, workspaceId);
}

/** A sender ID with only rejected reviews may be requested again. */
function isLiving({ reviews }: SenderRecord): boolean {
  return reviews.some(({ status }) => status !== 'rejected');
}

/** What a decision is about. They stay as the reviewer of the first country read them. */
const REVIEWED_TEXTS = ['registered_entity', 'use_case', 'sample_message'] as const;

/**
 * Changes a sender ID that is pending. Countries that are decided stay as they are, and from the
 * first decision on the texts that the decision is about as well.
 */
async function change(
  senders: SenderStore,
  workspaceId: WorkspaceId,
  id: string,
  wanted: ChangeSenderBody,
  at: Date,
): Promise<SenderRecord> {
  const known = await take(senders, id, workspaceId);
  if (known.status !== 'pending') throw conflict(ERROR_MESSAGES.senderDecided);
  const application: SenderApplication = { ...known, ...wanted };
  const kept = new Set(application.countries);
  const dropped = known.reviews.filter(({ country }) => !kept.has(country));
  const isDecided = ({ status }: SenderReview) => status !== 'pending';
  if (dropped.some(isDecided)) throw conflict(ERROR_MESSAGES.countryDecided, 'countries');
  const areTextsNew = REVIEWED_TEXTS.some((text) => application[text] !== known[text]);
  if (areTextsNew && known.reviews.some(isDecided)) {
    throw conflict(ERROR_MESSAGES.reviewedTextsFixed);
  }
  await senders.changeTexts(known.id, application, at);
  await senders.removeReviews(
    known.id,
    dropped.map(({ country }) => country),
  );
  await senders.addReviews(known.id, application.countries);
  return take(senders, id, workspaceId);
}

/**
 * Decides all named countries or none. Publishes one event per country that is approved or
 * rejected.
 */
async function review(
  transaction: Queryable,
  id: string,
  body: ReviewSenderBody,
  at: Date,
): Promise<SenderRecord> {
  const { status, reason = null, dnd_whitelisted: dndWhitelisted = null } = body;
  const senders = new SenderStore(transaction);
  const known = await take(senders, id, null);
  const countries = [...new Set(body.countries)];
  for (const country of countries) {
    const current = known.reviews.find((one) => one.country === country)?.status;
    if (current === undefined) throw invalid('countries', ERROR_MESSAGES.countryNotAsked(country));
    if (!isLegalStep(current, status)) {
      throw conflict(ERROR_MESSAGES.illegalReview(country, current, status), 'status');
    }
  }
  await senders.decide(id, countries, { status, reason, dndWhitelisted }, at);
  const sender = await take(senders, id, null);
  if (status === 'approved' || status === 'rejected') {
    for (const country of countries) await announce(transaction, sender, country, status, at);
  }
  return sender;
}

async function announce(
  transaction: Queryable,
  sender: SenderRecord,
  country: string,
  decision: 'approved' | 'rejected',
  at: Date,
): Promise<void> {
  const { workspace_id } = sender;
  const event = { type: `sender_id.${decision}` as const, workspace_id, country, sender };
  await announceRegistration<SenderEvent>(transaction, 'svc.sender-event.v1', event, at);
}

/** Locks the sender ID. Null: of any workspace. */
async function take(
  senders: SenderStore,
  id: string,
  workspaceId: WorkspaceId | null,
): Promise<SenderRecord> {
  const sender = await senders.take(id, workspaceId);
  if (sender === null) throw unknownResource('sender_id');
  return sender;
}

function shown({ id, workspace_id: projectId, ...record }: SenderRecord): SenderId {
  return { id, project_id: projectId, ...record };
}

function checkCountries(countries: readonly string[]): void {
  countries.forEach((country, index) => checkCountry(country, `countries.${index}`));
}

function invalid(field: string, message: ErrorText): ApiError {
  return new ApiError('validation_error', { field, message });
}

function conflict(message: ErrorText | string, field?: string): ApiError {
  return new ApiError('conflict', { message, ...(field !== undefined && { field }) });
}
