import { Injectable } from '@nestjs/common';
import { testAttemptBudget } from '@watchword/carriers';
import {
  ApiError,
  CODE_LENGTH_DEFAULT,
  type IdempotencyClaim,
  INPUT_PROBLEMS,
  inputMessage,
  newId,
  type SendOtpBody,
  type SendRequest,
  TTL_SECONDS_DEFAULT,
} from '@watchword/contracts';
import type { Destination } from '@watchword/telephony';
import { otpLastLineOf, type OtpShape, otpSegments } from '@watchword/telephony';
import type { Caller, WorkspaceView } from '../../accounts/keys/key-directory.port.js';
import { otpSendWindows } from '../../limits/otp-send-windows.js';
import { PrefixGuard } from '../../limits/prefix-guard.js';
import { TrialWorkspaces } from '../../limits/trial-workspaces.js';
import { RecipientTexts } from '../../registrations/recipient-texts.js';
import { AcceptSendHandler, type AcceptedSend, type PreparedSend } from '../accept-send.handler.js';
import { budgetOf } from '../budget.policy.js';
import { CountryWatch } from '../country-watch.js';
import { readDestination } from '../destination.policy.js';
import { readMetadata } from '../metadata.policy.js';
import { PortedNumbers } from '../ported-numbers.js';
import { OtpDestinations } from './otp-destinations.js';

/**
 * Checks, counts, charges, queues and answers a send. Dispatch draws the code later, so nothing
 * here can leak it.
 */
@Injectable()
export class SendOtpHandler {
  constructor(
    private readonly acceptance: AcceptSendHandler,
    private readonly countries: CountryWatch,
    private readonly prefixes: PrefixGuard,
    private readonly trials: TrialWorkspaces,
    private readonly destinations: OtpDestinations,
    private readonly ported: PortedNumbers,
    private readonly texts: RecipientTexts,
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

  private prepare(caller: Caller, body: SendOtpBody): PreparedSend | Promise<PreparedSend> {
    const testMode = caller.mode === 'test';
    const isTrial = this.trials.check(caller);
    const brand = this.texts.brandOf(caller.workspace);
    const current = testMode ? undefined : this.prefixes.current();
    if (typeof isTrial === 'boolean' && typeof brand === 'string' && current === undefined) {
      return this.prepareAs(isTrial, brand, caller, body);
    }
    const known = Promise.all([isTrial, brand, current]);
    return known.then(([isTrialNow, shown]) => this.prepareAs(isTrialNow, shown, caller, body));
  }

  private prepareAs(
    isTrial: boolean,
    brand: string,
    caller: Caller,
    body: SendOtpBody,
  ): PreparedSend | Promise<PreparedSend> {
    const { workspace } = caller;
    const testMode = caller.mode === 'test';
    const destination = readDestination(body.phone_number, 'otp', testMode);
    const send = this.compose({ ...workspace, brand }, body, destination, testMode);
    this.countries.check(caller, destination.countryCode);
    const { quote_id: quoteId } = body;
    const { e164 } = destination;
    const windows = testMode ? [] : otpSendWindows(this.prefixes, workspace, e164, isTrial);
    const prepared = { send, windows, quoteId, budget: budgetOf(caller) };
    const located = testMode ? destination : this.ported.locate(workspace.id, destination);
    if (!(located instanceof Promise)) return prepared;
    return located.then(({ network }) => {
      return { ...prepared, send: { ...send, network: network?.token ?? null } };
    });
  }

  /** Returns what would be sent with the workspace's `brand`, without checking whether it may be. */
  compose(
    workspace: Pick<WorkspaceView, 'id' | 'settings' | 'brand'>,
    body: SendOtpBody,
    destination: Destination,
    testMode: boolean,
  ): SendRequest {
    const { settings } = workspace;
    const language = body.language ?? settings.default_language;
    const codeLength = body.code_length ?? CODE_LENGTH_DEFAULT;
    const ttlSeconds = body.ttl_seconds ?? TTL_SECONDS_DEFAULT;
    if (settings.strict_otp) checkStrictness(codeLength, ttlSeconds);
    const text: OtpShape = {
      language,
      brand: workspace.brand,
      codeLength,
      ttlSeconds,
      template: settings.otp_text[language] ?? null,
      lastLine: otpLastLineOf(settings),
    };
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
      segments: otpSegments(text),
      metadata: readMetadata(body.metadata),
      sms: null,
      otp: {
        code_length: codeLength,
        ttl_seconds: ttlSeconds,
        language,
        max_attempts: attemptBudget(destination.e164, testMode) ?? settings.otp_max_attempts,
        brand: text.brand,
        template: text.template,
        last_line: text.lastLine,
        resend_max: settings.otp_resend_max,
        ...(settings.otp_reroute && { reroute: true }),
        strict: settings.strict_otp,
      },
    };
  }
}

/** Returns the attempt budget that a magic number of test mode sets. */
function attemptBudget(destination: string, testMode: boolean): number | null {
  return testMode ? testAttemptBudget(destination) : null;
}

const STRICT_CODE_LENGTH_MIN = 6;
const STRICT_TTL_SECONDS_MAX = 600;

/** Checks what the standards require of a code, for workspaces that enforce them. */
function checkStrictness(codeLength: number, ttlSeconds: number): void {
  if (codeLength < STRICT_CODE_LENGTH_MIN) {
    const message = inputMessage('code_length', INPUT_PROBLEMS.strictMin(STRICT_CODE_LENGTH_MIN));
    throw new ApiError('validation_error', { field: 'code_length', message });
  }
  if (ttlSeconds > STRICT_TTL_SECONDS_MAX) {
    const message = inputMessage('ttl_seconds', INPUT_PROBLEMS.strictMax(STRICT_TTL_SECONDS_MAX));
    throw new ApiError('validation_error', { field: 'ttl_seconds', message });
  }
}
