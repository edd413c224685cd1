import type { Answer } from '../support/http.ts';
import type { Workspace } from '../support/operator.ts';
import { type Around, erase, UNLIMITED } from './side-around.ts';

const DOMAIN = 'side-load.example';

interface DomainRecord {
  type: string;
  name: string;
  value: string;
}

/** Asks until there is an answer. */
type Ask = (
  key: string,
  path: string,
  idempotencyKey: string,
  body?: unknown,
) => Promise<Answer | undefined>;

/** The course of an email: names of the methods that produce it. */
const FATES = ['bounced', 'tested', 'scheduled', 'cancelled', 'erased'] as const;

/** The emails of the side load: what their senders do, and what comes back from their recipients. */
export class SideEmails {
  private readonly around: Around;
  private readonly ask: Ask;
  private mailer!: Workspace;
  private count = 0;

  constructor(around: Around, ask: Ask) {
    this.around = around;
    this.ask = ask;
  }

  /** The records of its domain are there, so live emails go to the simulator's mailbox. */
  async open(ordinal: number): Promise<void> {
    this.mailer = await this.around.operator.createWorkspace({
      credits: 10_000_000,
      settings: { limits: UNLIMITED },
    });
    const { liveKey } = this.mailer;
    const created = await this.ask(liveKey, '/v1/domains', `side-domain-${ordinal}`, {
      name: DOMAIN,
    });
    if (created?.status !== 201) throw new Error(`no domain: ${created?.text}`);
    const { id, records } = created.json as { id: string; records: DomainRecord[] };
    const dns = records.map(({ type, name, value }) => ({ type, name, value }));
    await this.around.simulator().post('/_simulator/dns', { records: dns });
    const verified = await this.ask(liveKey, `/v1/domains/${id}/verify`, `side-verify-${ordinal}`);
    if (verified?.json?.status !== 'verified') {
      throw new Error(`the domain is not verified: ${verified?.text}`);
    }
  }

  /** A turn of each fate in order. */
  async next(ordinal: number): Promise<void> {
    this.count += 1;
    const fate = FATES[this.count % FATES.length]!;
    await this[fate](ordinal);
  }

  private async tested(ordinal: number): Promise<void> {
    await this.send(ordinal, { to: 'opened@sim.test' }, this.mailer.testKey);
  }

  private async scheduled(ordinal: number): Promise<void> {
    await this.send(ordinal, { send_at: fromNow(1_000) });
  }

  private async cancelled(ordinal: number): Promise<void> {
    const id = await this.send(ordinal, { send_at: fromNow(15_000) });
    const key = `side-email-${ordinal}-cancel`;
    if (id !== undefined) await this.ask(this.mailer.liveKey, `/v1/emails/${id}/cancel`, key);
  }

  private async erased(ordinal: number): Promise<void> {
    const id = await this.send(ordinal, { send_at: fromNow(20_000) });
    if (id !== undefined) await erase(this.around, recipientsOf(ordinal)[0]);
  }

  /**
   * The relay refuses one of two recipients permanently. The second email to it finds the address
   * suppressed.
   */
  private async bounced(ordinal: number): Promise<void> {
    await this.script(ordinal, { submit: { kind: 'refuse', code: '550 5.1.1' } });
    await this.send(ordinal, {});
    await this.send(ordinal, { to: recipientsOf(ordinal)[0] }, this.mailer.liveKey, '-again');
  }

  /** Returns its id if it was accepted. */
  private async send(
    ordinal: number,
    more: object,
    owner = this.mailer.liveKey,
    again = '',
  ): Promise<string | undefined> {
    const key = `side-email-${ordinal}${again}`;
    const email = { from: `a@${DOMAIN}`, subject: key, text: 'Hi', to: recipientsOf(ordinal) };
    const sent = await this.ask(owner, '/v1/emails', key, { ...email, ...more });
    return sent?.json?.id as string | undefined;
  }

  /**
   * Scripts the copy of the first recipient. A simulator that is down meanwhile delivers it as
   * usual.
   */
  private async script(ordinal: number, scenario: object): Promise<void> {
    const [to] = recipientsOf(ordinal);
    const asked = { provider: 'smtp', to, ...scenario };
    await this.around
      .simulator()
      .post('/_simulator/scenarios', asked)
      .catch(() => undefined);
  }
}

/** Returns recipients that only one ordinal uses, so a suppression of one stops no other. */
function recipientsOf(ordinal: number): [string, string] {
  return [`a${ordinal}@example.com`, `b${ordinal}@example.com`];
}

function fromNow(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
