import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Dialect } from '../dialect.port.js';
import type { Carrier } from '../../outcomes/carrier.handler.js';
import { ACCEPT, type Submit } from '../../outcomes/outcome.js';
import type { CallbackRequest } from '../../receipts/callback.adapter.js';
import { messageBody, newMessageId, receiptBody, receiptData } from './deliveries.js';
import { type Delivery, EsmeLink, type LinkOwner, type SmppAccount } from './esme-link.js';
import { PartStore } from './part.store.js';
import { COMMAND, type Pdu, zeroEnded } from './pdu.js';
import { SMPP_NATIVE_CODES, STATUS, statusOf, statusOfHttp } from './smpp-codes.js';
import { readSubmission, type Submission } from './submission.js';

/** In place of a URL: receipts go over any connection that can receive. A field names the parts. */
const CONNECTION = 'smpp:';
/** HTTP statuses that say the same of a callback; 0 where no client is connected. */
const [TAKEN, AGAIN, UNCONNECTED] = [200, 503, 0];
const TRANSIENT = new Set<number>([
  STATUS.ESME_RX_T_APPN,
  STATUS.ESME_RMSGQFUL,
  STATUS.ESME_RSYSERR,
]);

/** An SMSC of SMPP 3.4 for one account, on a port of its own. It has no HTTP interface. */
export class Smsc implements Dialect, LinkOwner {
  readonly provider = 'smpp';
  readonly prefix = '/smpp';
  readonly nativeCodes = SMPP_NATIVE_CODES;
  readonly announcesHandover = false;
  private readonly links = new Set<EsmeLink>();
  private readonly parts = new PartStore();
  private readonly server: Server;
  private carrier: Carrier | undefined;
  private turn = 0;

  constructor(readonly account: SmppAccount) {
    this.server = createServer((socket) => this.links.add(new EsmeLink(socket, this)));
  }

  /** There are no routes; only the carrier is wanted. */
  routes(_scope: unknown, carrier: Carrier): void {
    this.carrier = carrier;
  }

  async listen(host: string, port: number): Promise<number> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const link of this.links) link.close();
    if (!this.server.listening) return;
    await new Promise((resolve) => this.server.close(resolve));
  }

  report: Dialect['report'] = (message, { fields }, receipt) => {
    const ids = (fields?.['parts'] ?? message.reference).split(',');
    const asData = this.account.receiptPdu === 'data_sm';
    const make = asData ? receiptData : receiptBody;
    const command = asData ? COMMAND.data : COMMAND.deliver;
    return this.delivery(ids.map((id) => ({ command, body: make(message, id, receipt) })));
  };

  inbound: NonNullable<Dialect['inbound']> = ({ from, to, body }) =>
    this.delivery([{ command: COMMAND.deliver, body: messageBody(from, to, body) }]);

  ended(link: EsmeLink): void {
    this.links.delete(link);
  }

  submit(link: EsmeLink, pdu: Pdu): void {
    const submission = readSubmission(pdu.body);
    if (typeof submission === 'number') return link.answer(pdu, submission);
    const carrier = this.carrier!;
    const { part, to } = submission;
    const make = () => carrier.planFor(to);
    const plan = part ? this.parts.planFor({ ...submission, part }, make) : make();
    const id = newMessageId();
    // A refusal of one part lets the others pass.
    const passes = plan.submit.part !== undefined && plan.submit.part !== part?.number;
    const submit = passes ? ACCEPT : plan.submit;
    const isWhole = takes(submit) && this.accept(carrier, plan, submission, id);
    const act = () => this.answer(link, pdu, submit, id, isWhole);
    if (plan.submit.delayMs) setTimeout(act, plan.submit.delayMs).unref();
    else act();
  }

  /** Returns whether the text is whole now, so that it is on the handset. */
  private accept(
    carrier: Carrier,
    plan: ReturnType<Carrier['planFor']>,
    submission: Submission,
    id: string,
  ): boolean {
    const { part, to, from, measured, wantsReceipt } = submission;
    const whole = part
      ? this.parts.add({ ...submission, part }, id)
      : { body: submission.body, ids: [id] };
    if (!whole) return false;
    carrier.accept(
      plan,
      {
        provider: 'smpp',
        to,
        from,
        body: whole.body,
        encoding: measured.encoding,
        segments: part ? part.total : measured.segments,
        reference: whole.ids[0]!,
        receivedAtMs: Date.now(),
      },
      wantsReceipt ? { url: CONNECTION, fields: { parts: whole.ids.join(',') } } : undefined,
    );
    return true;
  }

  private answer(link: EsmeLink, pdu: Pdu, submit: Submit, id: string, isWhole: boolean): void {
    switch (submit.kind) {
      case 'accept':
        return link.answer(pdu, STATUS.ESME_ROK, zeroEnded(id));
      case 'refuse':
        return link.answer(pdu, statusOf(submit.code));
      case 'http_status':
        return link.answer(pdu, statusOfHttp(submit.status ?? 503));
      case 'throttle':
        return link.answer(pdu, STATUS.ESME_RTHROTTLED);
      case 'hang':
        return;
      case 'reset':
        return link.reset();
      case 'garbage':
        return link.babble();
      case 'accept_then_lose_answer':
        // Of a text in parts, the last answer is lost: otherwise the text would never be whole.
        return isWhole ? link.close() : link.answer(pdu, STATUS.ESME_ROK, zeroEnded(id));
    }
  }

  /** A delivery that is complete once each body is acknowledged. What was not comes again. */
  private delivery(bodies: readonly Delivery[]): CallbackRequest {
    const open = new Set(bodies);
    const deliver = async (): Promise<number> => {
      const link = this.nextReceiver();
      if (!link) return UNCONNECTED;
      const statuses = [...open].map(async (body) => {
        const status = await link.deliver(body);
        if (status !== null && !TRANSIENT.has(status)) open.delete(body);
      });
      await Promise.all(statuses);
      return open.size === 0 ? TAKEN : AGAIN;
    };
    return { url: CONNECTION, headers: {}, body: '', deliver };
  }

  /** Clients that can receive, in turn, as an SMSC spreads its load. */
  private nextReceiver(): EsmeLink | undefined {
    const receivers = [...this.links].filter(({ canReceive }) => canReceive);
    this.turn += 1;
    return receivers[this.turn % Math.max(1, receivers.length)];
  }
}

function takes({ kind }: Submit): boolean {
  return kind === 'accept' || kind === 'accept_then_lose_answer';
}
