import type { Answer, HttpClient } from '../support/http.ts';
import type { Operator, Workspace } from '../support/operator.ts';
import { waitUntil } from '../support/wait-until.ts';

const DOMAIN = 'side-load.example';
const UNLIMITED = {
  key_per_minute: null,
  workspace_per_minute: null,
  variant_b_per_second: null,
  variant_b_burst: null,
};
const ARRIVES_WITHIN_MS = 10_000;

interface DomainRecord {
  type: string;
  name: string;
  value: string;
}

interface Around {
  http: HttpClient;
  operator: Operator;
  /** Another one after each start. */
  simulator: () => HttpClient;
}

/** Asks until there is an answer. */
type Ask = (
  key: string,
  path: string,
  idempotencyKey: string,
  body?: unknown,
) => Promise<Answer | undefined>;

/** The emails of the side load; their recipients open some of them. */
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

  /** By turns: to two live recipients and opened, in test mode, cancelled, and scheduled. */
  async next(ordinal: number): Promise<void> {
    this.count += 1;
    const turn = this.count % 4;
    const key = `side-email-${ordinal}`;
    const { liveKey, testKey } = this.mailer;
    const email = { from: `a@${DOMAIN}`, subject: key, text: 'Hi' };
    const to = [`a${ordinal}@example.com`, `b${ordinal}@example.com`];
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
    const ask = (owner: string, more: object) =>
      this.ask(owner, '/v1/emails', key, { ...email, to, ...more });
    if (turn === 0) await ask(testKey, { to: 'opened@sim.test' });
    else if (turn === 1) await ask(liveKey, { send_at: inMs(1_000) });
    else if (turn === 2) {
      const sent = await ask(liveKey, { send_at: inMs(15_000) });
      const id = sent?.json?.id as string | undefined;
      if (id !== undefined) await this.ask(liveKey, `/v1/emails/${id}/cancel`, `${key}-cancel`);
    } else {
      await ask(liveKey, { html: '<p>Hi</p>', track_opens: true });
      await this.openedBy(to[0]!);
    }
  }

  /** Loads the image that counts opens; a system that is down meanwhile is not asked again. */
  private async openedBy(address: string): Promise<void> {
    const { simulator, http } = this.around;
    const mailbox = `/_simulator/emails?to=${encodeURIComponent(address)}`;
    const path = await waitUntil(
      `an email to ${address}`,
      async () => {
        const [email] = (await simulator().get(mailbox)).json as { raw: string }[];
        return email && /\/t\/o\/[\w.-]+/.exec(email.raw.replaceAll('=\r\n', ''))?.[0];
      },
      { timeoutMs: ARRIVES_WITHIN_MS, everyMs: 100 },
    ).catch(() => undefined);
    if (path !== undefined) await http.get(path).catch(() => undefined);
  }
}
