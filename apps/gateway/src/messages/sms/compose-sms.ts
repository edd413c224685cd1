import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type DestinationFinding,
  type DestinationQuestion,
  type Family,
  inputMessage,
  newId,
  quietAtOf,
  type SendRequest,
  type SmsCategory,
  type SmsContent,
  type TemplateText,
  type TemplateVariables,
} from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { Destination } from '@watchword/telephony';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { sendWindows } from '../../limits/limit-table.policy.js';
import { PrefixGuard } from '../../limits/prefix-guard.js';
import { TrialWorkspaces } from '../../limits/trial-workspaces.js';
import { DestinationChecks } from '../../registrations/destination-checks.js';
import type { PreparedSend } from '../accept-send.handler.js';
import { budgetOf } from '../budget.policy.js';
import { CountryWatch } from '../country-watch.js';
import { inNetwork, readDestination } from '../destination.policy.js';
import { readMetadata } from '../metadata.policy.js';
import type { SendWords } from '../../inputs/send-words.policy.js';
import { readSendAt } from './send-at.policy.js';
import { antiSpamOf, readSenderId, readSmsText } from './sms-text.policy.js';
import { textOfTemplate, unknownTemplate } from '../../registrations/template-text.policy.js';

/** An SMS as a caller requests it, the same for every endpoint. */
export interface SmsRequest {
  readonly family: Family;
  readonly words: SendWords;
  readonly to: string;
  readonly from?: string | undefined;
  readonly body?: string | undefined;
  readonly template?: string | undefined;
  readonly variables?: TemplateVariables | undefined;
  readonly category?: SmsCategory | undefined;
  readonly sendAt?: string | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
  readonly quoteId?: string | undefined;
}

/** A request with valid inputs. Registries, countries and limits were not checked yet. */
export interface DraftSms {
  readonly request: SmsRequest;
  readonly content: SmsContent;
  readonly segments: number;
  readonly senderId: string | null;
  readonly destination: Destination;
  readonly sendAt: string | null;
  readonly metadata: Record<string, unknown>;
}

/** The templates that a request names, by the reference it uses. */
export type Templates = ReadonlyMap<string, TemplateText>;

/**
 * The rules of one SMS, in the order in which they refuse: text, sender, destination, then sender
 * decisions and registries, country, prefix. Limits and credits are counted later.
 */
@Injectable()
export class ComposeSms {
  constructor(
    private readonly checks: DestinationChecks,
    private readonly countries: CountryWatch,
    private readonly prefixes: PrefixGuard,
    private readonly trials: TrialWorkspaces,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Checks what the inputs alone decide. */
  draft({ workspace, mode }: Caller, request: SmsRequest, templates: Templates): DraftSms {
    const { words } = request;
    const sendAt = readSendAt(request.sendAt, this.clock.now());
    const metadata = readMetadata(request.metadata);
    const { settings } = workspace;
    const { text: body, field, templateId } = textOf(request, templates);
    const { segments, ...text } = readSmsText(body, settings, field);
    const senderId = readSenderId(request.from, words.sender);
    const content: SmsContent = {
      ...text,
      anti_spam: antiSpamOf(settings, { senderId, templateId, text: text.body }),
      ...(templateId !== null && { template_id: templateId }),
      ...(request.category === 'promotional' && { category: request.category }),
    };
    const destination = readDestination(request.to, 'sms', mode === 'test', words);
    return { request, content, segments, senderId, destination, sendAt, metadata };
  }

  question({ workspace }: Caller, draft: DraftSms): DestinationQuestion {
    const { request, senderId, destination, sendAt } = draft;
    const asked = { from: senderId, category: request.category, sendAt };
    return questionOf(workspace, asked, destination, this.clock.now());
  }

  /** Checks registries, country and prefix. Throws the first refusal. */
  async admit(caller: Caller, draft: DraftSms, finding: DestinationFinding): Promise<PreparedSend> {
    const { checks, countries, prefixes, trials } = this;
    const { workspace, mode } = caller;
    const { request, destination } = draft;
    const { words } = request;
    const testMode = mode === 'test';
    if (!testMode) {
      const question = this.question(caller, draft);
      checks.check(question, finding, workspace.settings, words);
    }
    // A promotional message in quiet hours waits for their end.
    const sendAt = finding.quiet_until ?? draft.sendAt;
    countries.check(caller, destination.countryCode, words);
    if (!testMode) {
      await trials.check(caller);
      await prefixes.current();
      prefixes.check(workspace.id, destination.e164, words.number);
    }
    const { limits } = workspace.settings;
    const windows = testMode ? [] : sendWindows('sms', workspace.id, destination.e164, limits);
    return {
      windows,
      quoteId: request.quoteId,
      words,
      budget: budgetOf(caller),
      send: sendOf(caller, { ...draft, sendAt }, inNetwork(destination, finding.network)),
    };
  }
}

/** Returns what dispatch is asked about the destination and the sender of an SMS. */
export function questionOf(
  { id, settings }: Caller['workspace'],
  asked: { from: string | null; category: SmsCategory | undefined; sendAt: string | null },
  { countryCode, e164 }: Destination,
  nowMs: number,
): DestinationQuestion {
  const at = asked.sendAt ?? new Date(nowMs).toISOString();
  return {
    workspace_id: id,
    sender_id: asked.from,
    country_code: countryCode,
    destination: e164,
    ...quietAtOf(asked.category, settings.quiet_hours, at),
  };
}

/** The requested text, the template that it was made from, and the input that an error names. */
export interface RequestedText {
  readonly text: string;
  readonly templateId: string | null;
  readonly field: string;
}

export function textOf(
  { words, body, template, variables }: SmsRequest,
  templates: Templates,
): RequestedText {
  if (template !== undefined && body !== undefined) {
    throw new ApiError('validation_error', {
      field: 'template',
      message: inputMessage('template', 'besideBody'),
    });
  }
  if (template !== undefined) {
    const known = templates.get(template);
    if (known === undefined) throw unknownTemplate();
    const text = textOfTemplate(known.body, variables);
    return { text, templateId: known.id, field: 'template' };
  }
  if (body === undefined) {
    throw new ApiError('validation_error', {
      field: words.text,
      message: inputMessage(words.text, 'required'),
    });
  }
  return { text: body, templateId: null, field: words.text };
}

function sendOf(
  { workspace, mode }: Caller,
  { request, content, segments, senderId, sendAt, metadata }: DraftSms,
  destination: Destination,
): SendRequest {
  return {
    message_id: newId(),
    workspace_id: workspace.id,
    test_mode: mode === 'test',
    kind: 'sms',
    family: request.family,
    destination: destination.e164,
    country_code: destination.countryCode,
    network: destination.network?.token ?? null,
    sender_id: senderId,
    segments,
    metadata,
    ...(sendAt !== null && { send_at: sendAt }),
    sms: content,
    otp: null,
  };
}
