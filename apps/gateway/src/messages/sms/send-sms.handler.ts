import { type IdempotencyClaim, newId, type SendSmsBody } from '@watchword/contracts';
import type { ProtectedSenderIds } from '../../accounts/sender-ids/protected-sender-ids.js';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { destinationCounters } from '../../limits/limit-table.policy.js';
import type { TrialWorkspaces } from '../../limits/trial-workspaces.js';
import type { PrefixGuard } from '../../limits/prefix-guard.js';
import type { AcceptedSend, AcceptSendHandler, PreparedSend } from '../accept-send.handler.js';
import type { CountryWatch } from '../country-watch.js';
import { readDestination } from '../destination.policy.js';
import { readMetadata } from '../metadata.policy.js';
import { readSenderId, readSmsText } from './sms-text.policy.js';

/** A transactional SMS: rewritten, measured, counted, charged and queued. */
export class SendSmsHandler {
  constructor(
    private readonly acceptance: AcceptSendHandler,
    private readonly countries: CountryWatch,
    private readonly prefixes: PrefixGuard,
    private readonly trials: TrialWorkspaces,
    private readonly senderIds: ProtectedSenderIds,
  ) {}

  send(caller: Caller, body: SendSmsBody, claim: IdempotencyClaim | null): Promise<AcceptedSend> {
    return this.acceptance.accept(caller.workspace.id, claim, () => this.prepare(caller, body));
  }

  private async prepare(caller: Caller, body: SendSmsBody): Promise<PreparedSend> {
    const { workspace } = caller;
    const { settings } = workspace;
    const testMode = caller.mode === 'test';
    const { content, segments } = readSmsText(body.message, settings);
    const senderId = readSenderId(body.sender_id);
    const destination = readDestination(body.phone_number, 'sms', testMode);
    this.countries.check(workspace, destination.countryCode, testMode);
    if (!testMode) {
      await this.trials.check(workspace);
      await this.senderIds.check({
        workspaceId: workspace.id,
        senderId,
        countryCode: destination.countryCode,
      });
      this.prefixes.check(workspace.id, destination.e164);
    }
    const counters = testMode
      ? []
      : destinationCounters('sms_send', workspace.id, destination.e164, settings.limits);
    return {
      counters,
      quoteId: body.quote_id,
      send: {
        message_id: newId(),
        workspace_id: workspace.id,
        test_mode: testMode,
        kind: 'sms',
        family: 'a',
        destination: destination.e164,
        country_code: destination.countryCode,
        network: destination.network?.token ?? null,
        sender_id: senderId,
        segments,
        metadata: readMetadata(body.metadata),
        sms: content,
        otp: null,
      },
    };
  }
}
