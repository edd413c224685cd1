import { MicroBatcher } from '@watchword/batching';
import {
  type DispatchCalls,
  isUuid,
  type ListMessagesRequest,
  publicStatus,
} from '@watchword/contracts';
import type { CancelOtpHandler } from '../otp/cancel-otp.handler.js';
import type { ResendOtpHandler } from '../otp/resend-otp.handler.js';
import type { VerifyOtpHandler } from '../otp/verify-otp.handler.js';
import type { RegistrationsRpc } from '../registrations/registrations.rpc.js';
import { cursorAfter, positionOf } from './message-list.policy.js';
import type { MessageListStore } from './message-list.store.js';
import type { Message } from './message.js';
import { messageRecord } from './message-record.policy.js';
import { expireIfDue, visibleState } from './message-change.policy.js';
import type { ChangeRequest, MessageChanges } from './message-changes.handler.js';

/**
 * The calls that dispatch answers. Reads that come together are one statement; a read writes only when it
 * finds a code whose time is over. What belongs to another workspace is not there.
 */
const READS_AT_ONCE = 128;
const READERS = 2;
const QUEUE_MAX = 20_000;

/** What other parts of dispatch answer. */
type OthersCalls =
  | 'listPrefixRestrictions'
  | 'liftPrefixRestriction'
  | 'screenText'
  | keyof RegistrationsRpc['calls'];

export interface OtpHandlers {
  readonly verification: VerifyOtpHandler;
  readonly cancellation: CancelOtpHandler;
  readonly resends: ResendOtpHandler;
}

export class MessageRpc {
  private readonly reads: MicroBatcher<ChangeRequest, Message | null>;

  constructor(
    changes: MessageChanges,
    private readonly lists: MessageListStore,
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
      const message = await this.read(request.message_id, request.workspace_id, request.kind);
      return { message: message && messageRecord(message) };
    },
    listMessages: (request) => this.list(request),
    getOtpDestination: async (request) => {
      const { otp_id: id, workspace_id: workspaceId } = request;
      // Neither ever changes, so what was seen last will do.
      const message =
        this.otps.verification.recent(id.toLowerCase(), workspaceId.toLowerCase()) ??
        (await this.read(id, workspaceId, 'otp'));
      return { destination: message?.destination ?? null, test_mode: message?.testMode ?? false };
    },
    verifyOtp: (request) =>
      this.otps.verification.verify({
        workspaceId: request.workspace_id.toLowerCase(),
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
    cancelOtp: (request) =>
      this.otps.cancellation.cancel({
        workspaceId: request.workspace_id.toLowerCase(),
        otpId: request.otp_id.toLowerCase(),
        testMode: request.mode === 'test',
        idempotency: request.idempotency && storable(request.idempotency),
      }),
    reserveResend: (request) =>
      this.otps.resends.reserve({
        workspaceId: request.workspace_id.toLowerCase(),
        otpId: request.otp_id.toLowerCase(),
        resendId: request.resend_id,
        testMode: request.mode === 'test',
      }),
    releaseResend: async (request) => {
      const { otp_id: otpId, resend_id: resendId } = request;
      await this.otps.resends.release({ otpId: otpId.toLowerCase(), resendId });
      return {};
    },
  };

  async drain(): Promise<void> {
    await Promise.all([this.reads.drain(), this.otps.verification.drain()]);
  }

  private async list(
    request: ListMessagesRequest,
  ): Promise<Awaited<ReturnType<DispatchCalls['listMessages']>>> {
    const { workspace_id: workspaceId, cursor, status } = request;
    const after = cursor === undefined ? null : positionOf(cursor);
    if (cursor !== undefined && after === null) return { verdict: 'bad_cursor' };
    if (!isUuid(workspaceId)) return { data: [] };
    const { ids, next } = await this.lists.page(request, after);
    const messages = await Promise.all(ids.map((id) => this.readAny(id)));
    // What changed its status while it was read is no longer what was asked for.
    const data = messages.filter(
      (message) =>
        message !== null &&
        (status === undefined || publicStatus(visibleState(message), message.family) === status),
    );
    const page = { data: data.map((message) => messageRecord(message as Message)) };
    return next === null ? page : { ...page, next_cursor: cursorAfter(next) };
  }

  private readAny(id: string): Promise<Message | null> {
    return this.reads.submit({ id, change: expireIfDue });
  }

  private async read(id: string, workspaceId: string, kind: string): Promise<Message | null> {
    if (!isUuid(id)) return null;
    const message = await this.readAny(id.toLowerCase());
    const isTheirs = message?.workspaceId === workspaceId.toLowerCase() && message.kind === kind;
    return isTheirs ? message : null;
  }
}

/** NUL is the one character that PostgreSQL has no place for. */
function storable<Claim extends { key: string }>(claim: Claim): Claim {
  return { ...claim, key: claim.key.replaceAll('\0', '\ufffd') };
}
