import { MicroBatcher } from '@watchword/batching';
import { type DispatchCalls, isUuid } from '@watchword/contracts';
import type { VerifyOtpHandler } from '../otp/verify-otp.handler.js';
import type { Message } from './message.js';
import { messageRecord } from './message-record.policy.js';
import { expireIfDue } from './message-change.policy.js';
import type { ChangeRequest, MessageChanges } from './message-changes.handler.js';

/**
 * The calls that dispatch answers. Reads that come together are one statement; a read writes only when it
 * finds a code whose time is over. What belongs to another workspace is not there.
 */
const READS_AT_ONCE = 128;
const READERS = 2;
const QUEUE_MAX = 20_000;

export class MessageRpc {
  private readonly reads: MicroBatcher<ChangeRequest, Message | null>;

  constructor(
    changes: MessageChanges,
    private readonly verification: VerifyOtpHandler,
  ) {
    this.reads = new MicroBatcher({
      name: 'dispatch.reads',
      flush: (requests) => changes.apply(requests),
      sizeMax: READS_AT_ONCE,
      queueMax: QUEUE_MAX,
      inFlightMax: READERS,
    });
  }

  readonly calls: DispatchCalls = {
    getMessage: async (request) => {
      const message = await this.read(request.message_id, request.workspace_id, request.kind);
      return { message: message && messageRecord(message) };
    },
    getOtpDestination: async (request) => {
      const message = await this.read(request.otp_id, request.workspace_id, 'otp');
      if (message) this.verification.announce(message);
      return { destination: message?.destination ?? null, test_mode: message?.testMode ?? false };
    },
    verifyOtp: (request) =>
      this.verification.verify({
        workspaceId: request.workspace_id.toLowerCase(),
        otpId: request.otp_id.toLowerCase(),
        code: request.code,
        idempotency: request.idempotency && storable(request.idempotency),
      }),
  };

  async drain(): Promise<void> {
    await Promise.all([this.reads.drain(), this.verification.drain()]);
  }

  private async read(id: string, workspaceId: string, kind: string): Promise<Message | null> {
    if (!isUuid(id)) return null;
    const message = await this.reads.submit({ id: id.toLowerCase(), change: expireIfDue });
    const isTheirs = message?.workspaceId === workspaceId.toLowerCase() && message.kind === kind;
    return isTheirs ? message : null;
  }
}

/** NUL is the one character that PostgreSQL has no place for. */
function storable<Claim extends { key: string }>(claim: Claim): Claim {
  return { ...claim, key: claim.key.replaceAll('\0', '\ufffd') };
}
