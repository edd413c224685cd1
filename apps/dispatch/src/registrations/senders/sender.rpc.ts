import { Controller, Inject } from '@nestjs/common';
import {
  type AnswerOf,
  type Clock,
  type DispatchCalls,
  dispatchCalls,
  isUuid,
  newId,
  type RequestOf,
  SENDER_IDS_MAX,
  type SenderApplication,
  type SenderEvent,
  type SenderRecord,
  type SenderReview,
} from '@watchword/contracts';
import { CallPattern, CLOCK, DATABASE } from '@watchword/platform';
import type { Queryable, Transactional } from '@watchword/postgres';
import { foldSenderId } from '@watchword/telephony';
import { announceRegistration } from '../announce-registration.js';
import { doneByKey, type Effect, onceByKey } from '../keyed-effect.js';
import { isLegalStep } from './sender.machine.js';
import { SenderStore } from './sender.store.js';

type Calls = Pick<
  DispatchCalls,
  | 'requestSender'
  | 'findRequestedSender'
  | 'listSenders'
  | 'changeSender'
  | 'listSendersToReview'
  | 'reviewSender'
>;
type Request<Name extends keyof Calls> = Parameters<Calls[Name]>[0];
type Result<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;

/** Sender IDs: requested by workspaces, decided country by country by operators. */
@Controller()
export class SenderRpc {
  constructor(
    @Inject(DATABASE) private readonly database: Transactional,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @CallPattern(dispatchCalls, 'requestSender')
  async requestSender(request: RequestOf<'requestSender'>): AnswerOf<'requestSender'> {
    const { workspace_id: workspaceId, idempotency } = request;
    const at = this.now();
    const done = await onceByKey(this.database, workspaceId, idempotency, at, (transaction) =>
      create(new SenderStore(transaction), request, at),
    );
    if (done.outcome === 'idempotency_conflict') return { verdict: done.outcome };
    const { result, replayed } = done;
    return result.verdict === 'created' ? { ...result, replayed } : result;
  }

  @CallPattern(dispatchCalls, 'findRequestedSender')
  async findRequestedSender({
    workspace_id: workspaceId,
    idempotency,
  }: RequestOf<'findRequestedSender'>): AnswerOf<'findRequestedSender'> {
    const done = await doneByKey<Result<'requestSender'>>(
      this.database,
      workspaceId,
      idempotency,
      this.now(),
    );
    if (done?.outcome === 'idempotency_conflict') return { sender: null, is_conflict: true };
    const sender = done?.result.verdict === 'created' ? done.result.sender : null;
    return { sender, is_conflict: false };
  }

  @CallPattern(dispatchCalls, 'listSenders')
  async listSenders({
    workspace_id: workspaceId,
  }: RequestOf<'listSenders'>): AnswerOf<'listSenders'> {
    return {
      data: await new SenderStore(this.database).list(workspaceId),
    };
  }

  @CallPattern(dispatchCalls, 'changeSender')
  changeSender(request: RequestOf<'changeSender'>): AnswerOf<'changeSender'> {
    return this.database.transaction((transaction) =>
      change(new SenderStore(transaction), request, this.now()),
    );
  }

  @CallPattern(dispatchCalls, 'listSendersToReview')
  async listSendersToReview(
    request: RequestOf<'listSendersToReview'>,
  ): AnswerOf<'listSendersToReview'> {
    return {
      data: await new SenderStore(this.database).listToReview({
        workspaceId: request.workspace_id,
        status: request.status,
        country: request.country,
        limit: request.limit,
        beforeId: request.before_id,
      }),
    };
  }

  @CallPattern(dispatchCalls, 'reviewSender')
  reviewSender(request: RequestOf<'reviewSender'>): AnswerOf<'reviewSender'> {
    return this.database.transaction((transaction) => review(transaction, request, this.now()));
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

async function create(
  senders: SenderStore,
  request: Request<'requestSender'>,
  at: Date,
): Promise<Effect<Result<'requestSender'>>> {
  const { workspace_id: workspaceId, sender_id: senderId } = request;
  await senders.hold(workspaceId);
  const known = await senders.list(workspaceId);
  const folded = foldSenderId(senderId);
  const isSame = (other: SenderRecord) =>
    foldSenderId(other.sender_id) === folded && isLiving(other);
  if (known.some(isSame)) return { id: null, result: { verdict: 'duplicate' } };
  if (known.length >= SENDER_IDS_MAX) return { id: null, result: { verdict: 'too_many' } };
  const id = newId();
  await senders.insert(id, workspaceId, senderId, request, at);
  const sender = (await senders.take(id, workspaceId)) as SenderRecord;
  return { id, result: { verdict: 'created', replayed: false, sender } };
}

/** A sender ID with only rejected reviews may be requested again. */
function isLiving({ reviews }: SenderRecord): boolean {
  return reviews.some(({ status }) => status !== 'rejected');
}

/** What a decision is about. They stay as the reviewer of the first country read them. */
const REVIEWED_TEXTS = ['registered_entity', 'use_case', 'sample_message'] as const;

async function change(
  senders: SenderStore,
  { workspace_id: workspaceId, id, change: wanted }: Request<'changeSender'>,
  at: Date,
): Promise<Result<'changeSender'>> {
  const known = isUuid(id) ? await senders.take(id, workspaceId) : null;
  if (known === null) return { verdict: 'not_found' };
  if (known.status !== 'pending') return { verdict: 'not_pending' };
  const application: SenderApplication = { ...known, ...wanted };
  const kept = new Set(application.countries);
  const dropped = known.reviews.filter(({ country }) => !kept.has(country));
  const isDecided = ({ status }: SenderReview) => status !== 'pending';
  if (dropped.some(isDecided)) return { verdict: 'decided_country' };
  const areTextsNew = REVIEWED_TEXTS.some((text) => application[text] !== known[text]);
  if (areTextsNew && known.reviews.some(isDecided)) return { verdict: 'reviewed_texts_fixed' };
  await senders.changeTexts(known.id, application, at);
  await senders.removeReviews(
    known.id,
    dropped.map(({ country }) => country),
  );
  await senders.addReviews(known.id, application.countries);
  return {
    verdict: 'changed',
    sender: (await senders.take(known.id, workspaceId)) as SenderRecord,
  };
}

async function review(
  transaction: Queryable,
  request: Request<'reviewSender'>,
  at: Date,
): Promise<Result<'reviewSender'>> {
  const { id, status, reason, dnd_whitelisted: dndWhitelisted = null } = request;
  const senders = new SenderStore(transaction);
  const known = isUuid(id) ? await senders.take(id, null) : null;
  if (known === null) return { verdict: 'not_found' };
  const countries = [...new Set(request.countries)];
  for (const country of countries) {
    const current = known.reviews.find((one) => one.country === country)?.status ?? null;
    if (current === null) return { verdict: 'unknown_country', country, current };
    if (!isLegalStep(current, status)) return { verdict: 'illegal_step', country, current };
  }
  await senders.decide(known.id, countries, { status, reason, dndWhitelisted }, at);
  const sender = (await senders.take(known.id, null)) as SenderRecord;
  if (status === 'approved' || status === 'rejected') {
    for (const country of countries) await announce(transaction, sender, country, status, at);
  }
  return { verdict: 'changed', sender };
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
