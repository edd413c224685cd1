import {
  CODE_LENGTH_DEFAULT,
  type IdempotencyClaim,
  newId,
  type SendOtpBody,
  type SendRequest,
  TTL_SECONDS_DEFAULT,
} from '@watchword/contracts';
import { type Destination, measureSegments, renderOtpText } from '@watchword/telephony';
import type { Caller, WorkspaceView } from '../auth/key-directory.port.js';
import { destinationCounters } from '../limits/limit-table.policy.js';
import type {
  AcceptedSend,
  AcceptSendHandler,
  PreparedSend,
} from '../messages/accept-send.handler.js';
import type { CountryWatch } from '../messages/country-watch.js';
import { readDestination } from '../messages/destination.policy.js';
import { readMetadata } from '../messages/metadata.policy.js';
import type { OtpDestinations } from './otp-destinations.js';

/**
 * Check, count, charge and queue, answer: read this file first. The code itself is born later, in
 * dispatch; nothing here could leak it.
 */
export class SendOtpHandler {
  constructor(
    private readonly acceptance: AcceptSendHandler,
    private readonly countries: CountryWatch,
    private readonly destinations: OtpDestinations,
  ) {}

  async send(
    caller: Caller,
    body: SendOtpBody,
    claim: IdempotencyClaim | null,
  ): Promise<AcceptedSend> {
    const accepted = await this.acceptance.accept(caller.workspace.id, claim, () =>
      this.prepare(caller, body),
    );
    this.destinations.remember(accepted.command);
    return accepted;
  }

  private prepare(caller: Caller, body: SendOtpBody): PreparedSend {
    const { workspace } = caller;
    const testMode = caller.mode === 'test';
    const destination = readDestination(body.phone_number, 'otp', testMode);
    this.countries.check(workspace, destination.countryCode, testMode);
    const send = this.request(workspace, body, destination, testMode);
    const counters = testMode
      ? []
      : destinationCounters('otp_send', workspace.id, destination.e164, workspace.settings.limits);
    return { send, counters };
  }

  private request(
    workspace: WorkspaceView,
    body: SendOtpBody,
    destination: Destination,
    testMode: boolean,
  ): SendRequest {
    const { settings } = workspace;
    const language = body.language ?? settings.default_language;
    const codeLength = body.code_length ?? CODE_LENGTH_DEFAULT;
    const ttlSeconds = body.ttl_seconds ?? TTL_SECONDS_DEFAULT;
    const template = settings.otp_text[language] ?? null;
    return {
      message_id: newId(),
      workspace_id: workspace.id,
      test_mode: testMode,
      kind: 'otp',
      family: 'a',
      destination: destination.e164,
      country_code: destination.countryCode,
      network: destination.network?.token ?? null,
      sender_id: null,
      segments:
        template === null ? 1 : segmentsOf(template, workspace.name, codeLength, ttlSeconds),
      metadata: readMetadata(body.metadata),
      sms: null,
      otp: {
        code_length: codeLength,
        ttl_seconds: ttlSeconds,
        language,
        max_attempts: settings.otp_max_attempts,
        brand: workspace.brand,
        template,
        strict: false,
      },
    };
  }
}

/** A text of the workspace's own may be long; every digit costs the same, so any code will do. */
function segmentsOf(
  template: string,
  brand: string,
  codeLength: number,
  ttlSeconds: number,
): number {
  const code = '0'.repeat(codeLength);
  const text = renderOtpText({ language: 'en', brand, code, ttlSeconds, template });
  return measureSegments(text).segments;
}
