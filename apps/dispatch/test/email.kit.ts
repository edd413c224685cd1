import {
  type EmailCommand,
  type EmailContent,
  type EmailEvent,
  type EmailReport,
  type MessageId,
  newId,
  type SendMessage,
  TOPICS,
  type WorkspaceId,
} from '@watchword/contracts';
import type { Capacity, EmailOutcome, EmailProvider, EmailSubmit } from '@watchword/carriers';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { eventually, FakeClock, type TestDatabase } from '@watchword/testing';
import { type Kit, type KitOptions, startKit } from './dispatch.kit.js';
import type {
  DomainName,
  EmailParts,
  SigningDomain,
  SuppressionEntry,
} from '../src/emails/email-parts.port.js';

export const WORKSPACE = newId();

/** A provider that the test scripts, and that records what it was asked. */
class ScriptedEmailProvider implements EmailProvider {
  readonly submits: EmailSubmit[] = [];
  answer: (request: EmailSubmit) => Promise<EmailOutcome> | EmailOutcome = () => ACCEPTED;

  readonly carrier: string;

  constructor(
    readonly name: string,
    readonly replacesMessageId = false,
    readonly capacity: Capacity = { concurrency: 16, messagesPerSecond: null, waitingMax: 48 },
  ) {
    this.carrier = name;
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  async submit(request: EmailSubmit): Promise<EmailOutcome> {
    this.submits.push(request);
    return this.answer(request);
  }
}

export const ACCEPTED: EmailOutcome = {
  outcome: 'accepted',
  providerMessageId: '4bQ9Xn2',
  delivered: false,
};
export const DEFERRED: EmailOutcome = {
  outcome: 'deferred',
  rawCode: '450 4.2.1',
  rawMessage: 'Try again later',
};
export const UNREACHABLE: EmailOutcome = {
  outcome: 'refused',
  temporary: true,
  rawCode: 'ECONNREFUSED',
  rawMessage: 'connect ECONNREFUSED 127.0.0.1:25',
};
export const UNANSWERED: EmailOutcome = {
  outcome: 'ambiguous',
  rawCode: 'DEADLINE',
  rawMessage: 'The server did not answer in time.',
};
export const NO_SUCH_USER: EmailOutcome = {
  outcome: 'bounced',
  bounce: { type: 'permanent', sub_type: 'no_email', code: '550 5.1.1', message: 'No such user' },
  suppress: true,
};

async function compose({ messageId }: { messageId: string }): Promise<Buffer> {
  return Buffer.from(`<${messageId}>\r\n`);
}

/** Lists and domains in memory. */
class EmailWorld implements EmailParts {
  readonly smtp: ScriptedEmailProvider;
  readonly ses: ScriptedEmailProvider;
  readonly providers: ReadonlyMap<string, ScriptedEmailProvider>;
  readonly entries: SuppressionEntry[] = [];
  status: SigningDomain['status'] = 'verified';

  constructor(capacity?: Capacity) {
    this.smtp = new ScriptedEmailProvider('smtp', false, capacity);
    this.ses = new ScriptedEmailProvider('ses', true, capacity);
    this.providers = new Map([this.smtp, this.ses].map((one) => [one.name, one]));
  }

  readonly composer = { compose, close: async () => undefined };
  readonly domains = {
    signing: async (pairs: readonly DomainName[]) =>
      pairs.map((pair) => ({ ...pair, status: this.status, selector: 's', ...KEYS })),
  };
  readonly suppressions = {
    add: async (entries: readonly SuppressionEntry[]) => {
      this.entries.push(...entries);
      return entries.map(({ workspaceId, address, scope }) => {
        const [oldest] = this.entries.filter(
          (one) => one.address === address && one.scope === scope,
        );
        const created_at = oldest!.at.toISOString();
        return { workspaceId, suppression: { address: address.toLowerCase(), scope, created_at } };
      });
    },
    suppressed: async (questions: readonly { address: string; category: string }[]) =>
      questions.map(({ address, category }) =>
        this.entries.some(
          (entry) =>
            entry.address === address && (entry.scope === 'all' || category === 'marketing'),
        ),
      ),
  };
}

const KEYS = { privateKeyPem: '', recordStates: {} };

export function emailCommand(
  recipients: readonly string[] = ['ada@example.com'],
  more: Partial<SendMessage> = {},
  words: Partial<EmailCommand> = {},
): SendMessage {
  return {
    message_id: newId(),
    workspace_id: WORKSPACE,
    test_mode: false,
    kind: 'email',
    family: 'b',
    destination: recipients[0]!,
    country_code: '',
    network: null,
    sender_id: null,
    segments: recipients.length,
    credits: recipients.length,
    credit_price: { amount: 100, currency: 'NGN' },
    price_rule: 'email@1',
    metadata: {},
    created_at: new Date().toISOString(),
    sms: null,
    otp: null,
    email: {
      content_sha256: 'none',
      from_domain: 'acme.example',
      from: 'Acme <Hello@acme.example>',
      to: [...recipients],
      cc: [],
      bcc: [],
      reply_to: [],
      subject: 'Your receipt',
      headers: {},
      attachments: [],
      tags: ['receipt'],
      category: 'transactional',
      track_opens: false,
      track_clicks: false,
      recipients: [...recipients],
      ...words,
    },
    ...more,
  };
}

export function emailReport(
  emailId: MessageId,
  kind: EmailReport['kind'],
  more: Partial<EmailReport> = {},
): EmailReport {
  const at = new Date().toISOString();
  return {
    report_id: newId(),
    kind,
    email_id: emailId,
    recipient: 0,
    provider: 'smtp',
    occurred_at: at,
    received_at: at,
    ...more,
  };
}

/** Returns the events of an email, oldest first. */
export async function emailEvents(database: TestDatabase, emailId: string): Promise<EmailEvent[]> {
  const { rows } = await database.pool.query<{ payload: string }>(
    'SELECT payload FROM message_queue WHERE topic = $1 AND key = $2 ORDER BY position',
    [TOPICS.emailEvents.name, emailId],
  );
  return rows.map(({ payload }) => JSON.parse(payload) as EmailEvent);
}

export async function stateOf(
  database: TestDatabase,
  emailId: string,
  number = 0,
): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ state: string }>(
    'SELECT state FROM email_recipients WHERE email_id = $1 AND number = $2',
    [emailId, number],
  );
  return rows[0]?.state;
}

/** Returns the hashes of contents that are stored without a bound, of live mode unless it says otherwise. */
export async function storeContents(
  kit: Pick<Kit, 'calls'>,
  contents: EmailContent[],
  {
    workspaceId = WORKSPACE,
    testMode = false,
  }: { workspaceId?: WorkspaceId; testMode?: boolean } = {},
): Promise<string[]> {
  const asked = { workspace_id: workspaceId, test_mode: testMode, contents, bound: null };
  const stored = await kit.calls.storeEmailContents(asked);
  if ('verdict' in stored) throw new Error('there is no bound');
  return stored.sha256;
}

/** Dispatch with scripted email providers, its own clock and one stored content. */
export class EmailKit {
  private constructor(
    readonly kit: Kit,
    readonly world: EmailWorld,
    readonly clock: FakeClock,
    readonly sha256: string,
  ) {}

  /** `capacity`: of each account. */
  static async start(options: Pick<KitOptions, 'capacity' | 'graceMs'> = {}): Promise<EmailKit> {
    const [clock, world] = [new FakeClock(Date.now()), new EmailWorld(options.capacity)];
    const kit = await startKit({ ...options, clock, email: world });
    const content = { html: '<p>Hi</p>', text: 'Hi', attachments: [] };
    const contents = [content, content];
    const sha256 = await storeContents(kit, contents);
    expect(sha256).toEqual([sha256[0], sha256[0]]);
    return new EmailKit(kit, world, clock, sha256[0]!);
  }

  /** Resets everything except the database. */
  reset(): void {
    const { world } = this;
    world.entries.length = 0;
    world.status = 'verified';
    world.composer.compose = compose;
    for (const provider of [world.smtp, world.ses]) {
      provider.answer = () => ACCEPTED;
      provider.submits.length = 0;
    }
  }

  command = (
    recipients?: readonly string[],
    more: Partial<SendMessage> = {},
    words: Partial<EmailCommand> = {},
  ): SendMessage => {
    const created_at = new Date(this.clock.now()).toISOString();
    const content = { content_sha256: this.sha256, ...words };
    return emailCommand(recipients, { created_at, ...more }, content);
  };

  until = async (emailId: string, state: string, number = 0): Promise<void> => {
    await eventually(async () => {
      expect(await stateOf(this.kit.database, emailId, number)).toBe(state);
    });
  };

  /** Waits until this many hand-overs of the email have a recorded answer. */
  answered = async (emailId: string, count: number): Promise<void> => {
    await eventually(async () => {
      const { rows } = await this.kit.database.pool.query(
        'SELECT FROM email_attempts WHERE email_id = $1 AND outcome IS NOT NULL',
        [emailId],
      );
      expect(rows).toHaveLength(count);
    });
  };

  record = async (emailId: MessageId) => {
    const scope = { workspace_id: WORKSPACE, test_mode: null };
    const { email } = await this.kit.calls.getEmail({ ...scope, email_id: emailId });
    if (!email) throw new Error('there is no email');
    return email;
  };

  typesOf = async (emailId: string): Promise<string[]> =>
    (await emailEvents(this.kit.database, emailId)).map(({ type }) => type);
}

/** One kit for all tests of a file. Each test finds it reset, except for the database. */
export function useEmailKit() {
  let emails: EmailKit;
  beforeAll(async () => {
    emails = await EmailKit.start();
  });
  beforeEach(() => emails.reset());
  afterAll(() => emails.kit.close());
  return {
    get kit() {
      return emails.kit;
    },
    get world() {
      return emails.world;
    },
    get clock() {
      return emails.clock;
    },
    get sha256() {
      return emails.sha256;
    },
    command: (...given: Parameters<EmailKit['command']>) => emails.command(...given),
    until: (...given: Parameters<EmailKit['until']>) => emails.until(...given),
    answered: (...given: Parameters<EmailKit['answered']>) => emails.answered(...given),
    record: (emailId: MessageId) => emails.record(emailId),
    typesOf: (emailId: string) => emails.typesOf(emailId),
  };
}
