import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type DispatchCalls,
  type EmailCommand,
  type EmailContent,
  type EmailFinding,
  type EmailQuestion,
  newId,
  type SendEmailBody,
  type SendRequest,
} from '@watchword/contracts';
import { domainOf, isSimulatorDomain } from '@watchword/email';
import { CLOCK } from '@watchword/platform';
import type { Caller } from '../../accounts/keys/key-directory.port.js';
import { TrialWorkspaces } from '../../limits/trial-workspaces.js';
import type { PreparedSend } from '../accept-send.handler.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { readMetadata } from '../metadata.policy.js';
import { EMAIL_WORDS } from '../../inputs/send-words.policy.js';
import { readSendAt } from '../sms/send-at.policy.js';
import { readAttachments, sizeOf } from './attachments.policy.js';
import {
  checkHeaders,
  checkTexts,
  distinctRecipients,
  invalid,
  readMailbox,
  readMailboxes,
  type Recipient,
} from './email-inputs.policy.js';
import { EmailContents } from './email-contents.js';
import { EmailSize } from './email-size.js';
import { isMagicallySuppressed, isMagicallyUnverified } from './magic-address.policy.js';

/** An email with valid inputs. Domains, suppressions and limits were not checked yet. */
export interface DraftEmail {
  /** Without the hash of its content, which dispatch returns. */
  readonly email: Omit<EmailCommand, 'content_sha256'>;
  readonly content: EmailContent;
  /** The address in `from`. */
  readonly fromAddress: string;
  readonly recipients: readonly Recipient[];
  readonly sendAt: string | null;
  readonly metadata: Record<string, unknown>;
  readonly quoteId?: string | undefined;
}

/** The finding of test mode, where only magic addresses are refused. */
const NOTHING_FOUND: EmailFinding = { is_verified: true, suppressed: [] };

/**
 * The rules of one email, in the order in which they refuse: its own inputs, the sender's domain,
 * the recipients, then suppressions. Credits are counted later.
 */
@Injectable()
export class ComposeEmail {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'judgeEmails'>,
    private readonly contents: EmailContents,
    private readonly trials: TrialWorkspaces,
    private readonly size: EmailSize,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Checks what the inputs alone decide. */
  async draft(body: SendEmailBody): Promise<DraftEmail> {
    checkTexts(body);
    const { headers = {}, tags = [], category = 'transactional' } = body;
    checkHeaders(headers);
    const from = readMailbox('from', body.from);
    const to = readMailboxes('to', body.to);
    const cc = readMailboxes('cc', body.cc);
    const bcc = readMailboxes('bcc', body.bcc);
    const replyTo = readMailboxes('reply_to', body.reply_to);
    const attachments = readAttachments(body.attachments);
    const content = { html: body.html ?? null, text: body.text ?? null, attachments };
    const all = [...to.recipients, ...cc.recipients, ...bcc.recipients];
    const recipients = distinctRecipients(all);
    const email: DraftEmail['email'] = {
      from_domain: domainOf(from.address),
      from: body.from.trim(),
      to: to.given,
      cc: cc.given,
      bcc: bcc.given,
      reply_to: replyTo.given,
      subject: body.subject,
      headers,
      attachments: attachments.map(({ content: base64, ...named }) => ({
        ...named,
        size_bytes: sizeOf(base64),
      })),
      tags,
      category,
      track_opens: body.track_opens ?? false,
      track_clicks: body.track_clicks ?? false,
      recipients: recipients.map(({ address }) => address),
    };
    const sendAt = readSendAt(body.send_at, this.clock.now());
    const metadata = readMetadata(body.metadata);
    await this.size.check(email, content);
    const fromAddress = from.address;
    return { email, content, fromAddress, recipients, sendAt, metadata, quoteId: body.quote_id };
  }

  /** Asks about domains and suppressions, in order. Test mode asks nothing. */
  async find({ workspace, mode }: Caller, drafts: readonly DraftEmail[]): Promise<EmailFinding[]> {
    if (mode === 'test' || drafts.length === 0) return drafts.map(() => NOTHING_FOUND);
    const questions = drafts.map(({ email }): EmailQuestion => ({
      workspace_id: workspace.id,
      domain: email.from_domain,
      addresses: email.recipients,
      category: email.category,
    }));
    return (await this.dispatch.judgeEmails({ questions })).findings;
  }

  /** Throws the first refusal. */
  async check(caller: Caller, draft: DraftEmail, finding: EmailFinding): Promise<void> {
    const { sender, recipient } = refusalsOf(caller, draft, finding);
    if (sender !== null) throw sender;
    if (recipient !== null) throw recipient;
    await this.trials.check(caller);
  }

  /** Stores the contents before the acceptance, and returns the sends that refer to them. */
  async prepare(caller: Caller, drafts: readonly DraftEmail[]): Promise<PreparedSend[]> {
    if (drafts.length === 0) return [];
    const sha256 = await this.contents.store(
      caller,
      drafts.map(({ content }) => content),
    );
    return drafts.map((draft, index) => ({
      send: sendOf(caller, draft, sha256[index] ?? ''),
      windows: [],
      words: EMAIL_WORDS,
      ...(draft.quoteId === undefined ? {} : { quoteId: draft.quoteId }),
    }));
  }
}

/** Returns why the sender's domain, or a recipient, is refused. */
export function refusalsOf(
  { mode }: Caller,
  { fromAddress, recipients }: DraftEmail,
  { is_verified: isVerified, suppressed }: EmailFinding,
): { sender: ApiError | null; recipient: ApiError | null } {
  const isTest = mode === 'test';
  const mayNotSend = isTest ? isMagicallyUnverified(fromAddress) : !isVerified;
  const sender = mayNotSend ? new ApiError('domain_unverified', { field: 'from' }) : null;
  const simulated = isTest
    ? undefined
    : recipients.find(({ address }) => isSimulatorDomain(domainOf(address)));
  if (simulated) return { sender, recipient: invalid(simulated.field, 'simulatorDomain') };
  const refused = new Set(suppressed);
  const first = recipients.find(({ address }) =>
    isTest ? isMagicallySuppressed(address) : refused.has(address),
  );
  const recipient = first ? new ApiError('address_suppressed', { field: first.field }) : null;
  return { sender, recipient };
}

function sendOf({ workspace, mode }: Caller, draft: DraftEmail, sha256: string): SendRequest {
  const { email, recipients, sendAt, metadata } = draft;
  return {
    message_id: newId(),
    workspace_id: workspace.id,
    test_mode: mode === 'test',
    kind: 'email',
    family: 'b',
    destination: recipients[0]?.address ?? '',
    country_code: '',
    network: null,
    sender_id: null,
    segments: recipients.length,
    metadata,
    ...(sendAt !== null && { send_at: sendAt }),
    sms: null,
    otp: null,
    email: { ...email, content_sha256: sha256 },
    content_bytes: contentBytes(draft),
  };
}

function contentBytes({ email, content: { html, text } }: DraftEmail): number {
  const textBytes = Buffer.byteLength(html ?? '') + Buffer.byteLength(text ?? '');
  return email.attachments.reduce((sum, { size_bytes: bytes }) => sum + bytes, textBytes);
}
