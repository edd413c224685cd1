import type { WorkspaceId } from '@watchword/contracts';
import { type Email, wordsOf } from './email.js';
import type { Departure } from './hand-over.policy.js';
import type { ProviderOrder } from './provider-order.js';
import type { SigningDomain, SigningDomains, Suppressions } from './ports.js';

/** The state that the hand-overs of an email depend on, read a moment ago. */
export interface EmailGround {
  readonly signing: SigningDomain | null;
  readonly suppressed: ReadonlySet<string>;
}

const NOTHING: EmailGround = { signing: null, suppressed: new Set() };

export interface DepartureParts {
  readonly domains: SigningDomains;
  readonly suppressions: Suppressions;
  readonly order: ProviderOrder;
  /** Id of this process, stored on the attempts it makes. */
  readonly heldBy: string;
}

/**
 * Decides, for a batch of emails at once, whether each may be handed over, and to which providers.
 */
export class Departures {
  constructor(private readonly parts: DepartureParts) {}

  /** Returns the state by email id. Test mode needs no domain and no suppressions. */
  async ground(emails: readonly Email[]): Promise<Map<string, EmailGround>> {
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
    const [signing, verdicts] = await Promise.all([
      this.parts.domains.signing(live.map(domainOf)),
      this.parts.suppressions.suppressed(questions),
    ]);
    const suppressed = new Map(live.map(({ id }) => [id, new Set<string>()]));
    questions.forEach(({ emailId, address }, index) => {
      if (verdicts[index]) suppressed.get(emailId)!.add(address.toLowerCase());
    });
    const domains = new Map(signing.map((one) => [keyOf(one), one]));
    return new Map(
      live.map((email) => [
        email.id,
        {
          signing: domains.get(keyOf(domainOf(email))) ?? null,
          suppressed: suppressed.get(email.id)!,
        },
      ]),
    );
  }

  departure(ground: EmailGround = NOTHING, at: Date): Departure {
    const { signing, suppressed } = ground;
    return { ...this.handOver(at), suppressed, mayDomainSend: maySend(signing) };
  }

  handOver(at: Date) {
    const { order, heldBy } = this.parts;
    return { providers: order.providers(), heldBy, at };
  }
}

/** A domain with records missing for less than three days still sends. */
function maySend(signing: SigningDomain | null): boolean {
  return signing?.status === 'verified' || signing?.status === 'temporary_failure';
}

function domainOf(email: Email): { workspaceId: WorkspaceId; name: string } {
  return { workspaceId: email.workspaceId, name: wordsOf(email).from_domain };
}

function keyOf({ workspaceId, name }: { workspaceId: WorkspaceId; name: string }): string {
  return `${workspaceId} ${name}`;
}
