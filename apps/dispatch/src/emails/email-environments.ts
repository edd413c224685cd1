import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER, OnceAMinute } from '@watchword/platform';
import { PROCESS_ID } from '../sending/process-id.js';
import { type Email, wordsOf } from './email.js';
import type { DueHandOver, HandOver } from './hand-over.policy.js';
import {
  type DomainName,
  EMAIL_PARTS,
  type EmailParts,
  type SigningDomain,
} from './email-parts.port.js';
import { ProviderOrder } from './provider-order.js';

/** The state that the hand-overs of an email depend on, read a moment ago. */
export interface EmailEnvironment {
  readonly signing: SigningDomain | null;
  readonly suppressed: ReadonlySet<string>;
}

const NOTHING: EmailEnvironment = { signing: null, suppressed: new Set() };

/**
 * Reads, for a batch of emails at once, whether each may be handed over, and says to which providers.
 */
@Injectable()
export class EmailEnvironments {
  private readonly lines: OnceAMinute;

  constructor(
    @Inject(EMAIL_PARTS) private readonly parts: Pick<EmailParts, 'domains' | 'suppressions'>,
    private readonly order: ProviderOrder,
    @Inject(PROCESS_ID) private readonly processId: string,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lines = new OnceAMinute(clock);
  }

  /**
   * Returns the state by email id. Test mode needs no domain and no suppressions. An email whose domain's
   * key cannot be decrypted has none, and waits.
   */
  async read(emails: readonly Email[]): Promise<Map<string, EmailEnvironment>> {
    const live = emails.filter(({ testMode }) => !testMode);
    if (live.length === 0) return new Map();
    const questions = live.flatMap((email) =>
      wordsOf(email).recipients.map((address) => ({
        workspaceId: email.workspaceId,
        address,
        category: wordsOf(email).category,
        emailId: email.id,
      })),
    );
    const unreadable = new Set<string>();
    const note = (domain: DomainName, error: unknown) => {
      unreadable.add(keyOf(domain));
      this.log(domain, error);
    };
    const [signing, verdicts] = await Promise.all([
      this.parts.domains.signing(live.map(domainOf), note),
      this.parts.suppressions.suppressed(questions),
    ]);
    const suppressed = new Map(live.map(({ id }) => [id, new Set<string>()]));
    questions.forEach(({ emailId, address }, index) => {
      if (verdicts[index]) suppressed.get(emailId)!.add(address.toLowerCase());
    });
    const domains = new Map(signing.map((one) => [keyOf(one), one]));
    const ready = live.filter((email) => !unreadable.has(keyOf(domainOf(email))));
    return new Map(
      ready.map((email) => [
        email.id,
        {
          signing: domains.get(keyOf(domainOf(email))) ?? null,
          suppressed: suppressed.get(email.id)!,
        },
      ]),
    );
  }

  private log({ workspaceId, name }: DomainName, error: unknown): void {
    if (!this.lines.isDue(`${workspaceId} ${name}`)) return;
    const about = { err: error, workspaceId, domain: name };
    this.logger.error(about, 'the DKIM key of a domain is unreadable, its emails wait');
  }

  dueHandOver(environment: EmailEnvironment = NOTHING, at: Date): DueHandOver {
    const { signing, suppressed } = environment;
    return { ...this.handOver(at), suppressed, mayDomainSend: maySend(signing) };
  }

  handOver(at: Date): HandOver {
    return { providers: this.order.providers(), heldBy: this.processId, at };
  }
}

/** A domain with records missing for less than three days still sends. */
function maySend(signing: SigningDomain | null): boolean {
  return signing?.status === 'verified' || signing?.status === 'temporary_failure';
}

function domainOf(email: Email): DomainName {
  return { workspaceId: email.workspaceId, name: wordsOf(email).from_domain };
}

function keyOf({ workspaceId, name }: DomainName): string {
  return `${workspaceId} ${name}`;
}
