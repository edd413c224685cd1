import { MicroBatcher } from '@watchword/batching';
import {
  type DispatchCalls,
  isUuid,
  type ListMessagesRequest,
  type SearchMessagesRequest,
  type MessageRecord,
  publicStatus,
} from '@watchword/contracts';
import type { ResendOtpHandler } from '../verification/resend-otp.handler.js';
import type { VerifyOtpHandler } from '../verification/verify-otp.handler.js';
import type { RegistrationsRpc } from '../registrations/registrations.rpc.js';
import type { CancelMessageHandler } from './cancel-message.handler.js';
import { cursorAfter, positionOf, searchCursors } from './message-list.policy.js';
import type { MessageListStore } from './message-list.store.js';
import type { MessageSearchStore } from './message-search.store.js';
import type { Message } from './message.js';
import { messageRecord } from './message-record.policy.js';
import { expireIfDue, visibleState } from './message-change.policy.js';
import type { ChangeRequest, MessageChanges } from './message-changes.handler.js';
import { type Walls, wallsOf } from './walls.policy.js';

/**
 * The calls that dispatch answers. Reads that come together are one statement; a read writes only when it
 * finds a code whose time is over. A message outside the caller's walls is not found.
 */
const READS_AT_ONCE = 128;
const READERS = 2;
const QUEUE_MAX = 20_000;

/** What other parts of dispatch answer. */
type OthersCalls =
  | 'listPrefixRestrictions'
  | 'liftPrefixRestriction'
  | 'screenText'
  | 'listCarriers'
  | 'changeCarrier'
  | keyof RegistrationsRpc['calls'];

export interface OtpHandlers {
  readonly verification: VerifyOtpHandler;
  readonly cancellation: CancelMessageHandler;
  readonly resends: ResendOtpHandler;
}

export class MessageRpc {
  private readonly reads: MicroBatcher<ChangeRequest, Message | null>;

  constructor(
    changes: MessageChanges,
    private readonly lists: MessageListStore,
    private readonly searches: MessageSearchStore,
    private readonly otps: OtpHandlers,
  ) {
    this.reads = new MicroBatcher({
      name: 'dispatch.reads',
      flush: (requests) => changes.apply(requests),
      sizeMax: READS_AT_ONCE,
      queueMax: QUEUE_MAX,
      inFlightMax: READERS,
    });
  }

  readonly calls: Omit<DispatchCalls, OthersCalls> = {
    getMessage: async (request) => {
      const message = await this.read(request.message_id, wallsOf(request), request.kind);
      return { message: message && messageRecord(message) };
    },
    listMessages: (request) => this.list(request),
    searchMessages: (request) => this.search(request),
    getOtpDestination: async (request) => {
      const id = request.otp_id;
      const within = wallsOf(request);
      // Neither ever changes, so the message as last seen is good enough.
      const message =
        this.otps.verification.recent(id.toLowerCase(), within) ??
        (await this.read(id, within, 'otp'));
      return { destination: message?.destination ?? null, test_mode: message?.testMode ?? false };
    },
    verifyOtp: (request) =>
      this.otps.verification.verify({
        ...wallsOf(request),
        otpId: request.otp_id.toLowerCase(),
        code: request.code,
        idempotency: request.idempotency && storable(request.idempotency),
      }),
    findVerification: async (request) => ({
      result: await this.otps.verification.find({
        workspaceId: request.workspace_id.toLowerCase(),
        idempotency: storable(request.idempotency),
      }),
    }),
    cancelMessage: (request) =>
      this.otps.cancellation.cancel({
        ...wallsOf(request),
        messageId: request.message_id.toLowerCase(),
        kind: request.kind,
        idempotency: request.idempotency && storable(request.idempotency),
      }),
    reserveResend: (request) =>
      this.otps.resends.reserve({
        ...wallsOf(request),
        otpId: request.otp_id.toLowerCase(),
        resendId: request.resend_id,
      }),
    releaseResend: async (request) => {
      const { otp_id: otpId, resend_id: resendId } = request;
      const walls = wallsOf(request);
      await this.otps.resends.release({ ...walls, otpId: otpId.toLowerCase(), resendId });
      return {};
    },
  };

  async drain(): Promise<void> {
    await Promise.all([this.reads.drain(), this.otps.verification.drain()]);
  }

  private async list(
    request: ListMessagesRequest,
  ): Promise<Awaited<ReturnType<DispatchCalls['listMessages']>>> {
    const { workspace_id: workspaceId, cursor, kind, status } = request;
    const after = cursor === undefined ? null : positionOf(kind, cursor);
    if (cursor !== undefined && after === null) return { verdict: 'bad_cursor' };
    if (!isUuid(workspaceId)) return { data: [] };
    const { ids, next } = await this.lists.page(request, after);
    const within = wallsOf(request);
    const data = await this.records(ids, status, within);
    return next === null ? { data } : { data, next_cursor: cursorAfter(kind, next) };
  }

  private async search(
    request: SearchMessagesRequest,
  ): Promise<Awaited<ReturnType<DispatchCalls['searchMessages']>>> {
    const { cursor, status } = request;
    const after = cursor === undefined ? null : searchCursors.read(cursor);
    if (after === undefined) return { verdict: 'bad_cursor' };
    const { ids, next } = await this.searches.page(request, after);
    const data = await this.records(ids, status);
    return next === null ? { data } : { data, next_cursor: searchCursors.after(next) };
  }

  private async records(
    ids: readonly string[],
    status: string | undefined,
    within?: Walls,
  ): Promise<MessageRecord[]> {
    const messages = await Promise.all(ids.map((id) => this.readAny(id, within)));
    // A message that changed its status meanwhile no longer fits the filter.
    const fitting = messages.filter(
      (message) =>
        message !== null &&
        (status === undefined || publicStatus(visibleState(message), message.family) === status),
    );
    return fitting.map((message) => messageRecord(message as Message));
  }

  private readAny(id: string, within: Walls | undefined): Promise<Message | null> {
    return this.reads.submit({ id, within, change: expireIfDue });
  }

  private async read(id: string, within: Walls, kind: string): Promise<Message | null> {
    if (!isUuid(id)) return null;
    const message = await this.readAny(id.toLowerCase(), within);
    return message?.kind === kind ? message : null;
  }
}

/** NUL is the one character that PostgreSQL has no place for. */
function storable<Claim extends { key: string }>(claim: Claim): Claim {
  return { ...claim, key: claim.key.replaceAll('\0', '\ufffd') };
}
