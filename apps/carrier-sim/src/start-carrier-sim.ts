import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { controlRoutes } from './control/control.controller.js';
import type { Dialect } from './dialects/dialect.port.js';
import { dialectsOf } from './dialects/dialect.registry.js';
import type { Accounts } from './dialects/dialect.registry.js';
import { DndRegistry } from './dnd/dnd-registry.controller.js';
import { dnsRoutes } from './dns/dns.controller.js';
import { RecordStore } from './dns/record.store.js';
import { handsetPage } from './handset/handset-page.js';
import { HandsetStore } from './handset/handset.store.js';
import { emailPartRoutes, mailboxRoutes } from './mail/mail.controller.js';
import { mailboxPage } from './mail/mailbox-page.js';
import { MailboxStore } from './mail/mailbox.store.js';
import type { SmtpAddress } from './mail/report.client.js';
import { type Mail, startMail } from './mail/start-mail.js';
import { Carrier } from './outcomes/carrier.handler.js';
import { CarrierRolesStore } from './outcomes/carrier-roles.store.js';
import { CallbackClient } from './receipts/callback.adapter.js';
import { ReceiptJob } from './receipts/receipt.job.js';
import { DueTimers } from './receipts/due-timers.js';
import { SesSimulator } from './ses/ses.controller.js';
import { ScenarioStore } from './scenarios/scenario.store.js';

export interface CarrierSimOptions {
  /** Keep it on the loopback interface: the control interface shows the text of every message. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port?: number;
  readonly defaultReceiptDelayMs?: number;
  readonly accounts: Accounts;
  /** Port of the SMTP relay; 0 picks a free port. */
  readonly smtpPort?: number;
  /** Port of the SMSC, if it has an account; 0 picks a free port. */
  readonly smppPort?: number;
  /** Port of the name server; 0 picks a free port. */
  readonly dnsPort?: number;
  /** Mail exchangers of return paths, which receive bounces and delivery notifications. */
  readonly bounceExchangers?: readonly SmtpAddress[];
}

export interface CarrierSim {
  /** Without a path. A carrier's base URL is this with `/twilio` or `/africas-talking`. */
  readonly url: string;
  /** The relay that accepts emails. */
  readonly smtp: SmtpAddress;
  /** The SMSC of SMPP. Absent without an account there. */
  readonly smpp?: SmtpAddress;
  /** `host:port` of the name server for checks of domains. */
  readonly dns: string;
  close(): Promise<void>;
}

/** Waiting receipts and retries, about 300 bytes each. */
const WAITING_MAX = 500_000;

/** Comparing our own schemas with the meta-schema would slow each start. */
const OWN_SCHEMAS = { meta: false, validateSchema: false, allowUnionTypes: true };

/**
 * Uses plain Fastify instead of Nest: the simulator is a flat set of routes, and in a bench each
 * microsecond it takes is lost to the product.
 */
export async function startCarrierSim(options: CarrierSimOptions): Promise<CarrierSim> {
  const timers = new DueTimers(WAITING_MAX);
  const callbacks = new CallbackClient(timers);
  const receipts = new ReceiptJob(timers, callbacks);
  const messages = new HandsetStore();
  const server = fastify({
    // Requests that hang on purpose must not keep the server from closing.
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    ajv: { customOptions: { ...OWN_SCHEMAS, removeAdditional: false, coerceTypes: false } },
  });
  const [mailbox, records, scenarios] = [
    new MailboxStore(),
    new RecordStore(),
    new ScenarioStore(),
  ];
  const dialects = dialectsOf(options.accounts);
  registerRoutes(server, dialects, options, {
    timers,
    callbacks,
    receipts,
    messages,
    scenarios,
    mailbox,
    records,
  });
  let mail: Mail | undefined;
  const close = async (): Promise<void> => {
    await server.close();
    await Promise.all(dialects.map((dialect) => dialect.close?.()));
    await mail?.close();
    timers.stop();
    receipts.stop();
    await callbacks.close();
  };
  const host = options.host ?? '127.0.0.1';
  const { smtpPort = 0, dnsPort = 0, bounceExchangers = [], defaultReceiptDelayMs = 50 } = options;
  let smpp: SmtpAddress | undefined;
  try {
    await server.listen({ host, port: options.port ?? 0 });
    mail = await startMail(
      { mailbox, records, scenarios, timers },
      { host, smtpPort, dnsPort, bounceExchangers, defaultReceiptDelayMs },
    );
    // Only one dialect has a port of its own.
    const smsc = dialects.find(({ listen }) => listen !== undefined);
    if (smsc?.listen) smpp = { host, port: await smsc.listen(host, options.smppPort ?? 0) };
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = server.server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { url, smtp: mail.smtp, ...(smpp && { smpp }), dns: mail.dns, close };
}

interface Parts {
  readonly timers: DueTimers;
  readonly callbacks: CallbackClient;
  readonly receipts: ReceiptJob;
  readonly messages: HandsetStore;
  readonly scenarios: ScenarioStore;
  readonly mailbox: MailboxStore;
  readonly records: RecordStore;
}

function registerRoutes(
  server: FastifyInstance,
  dialects: readonly Dialect[],
  { accounts, defaultReceiptDelayMs = 50 }: CarrierSimOptions,
  parts: Parts,
): void {
  const { scenarios, mailbox, records } = parts;
  const roles = new CarrierRolesStore();
  for (const dialect of dialects) {
    const carrier = new Carrier(dialect, { ...parts, roles, defaultReceiptDelayMs });
    server.register(async (scope) => dialect.routes(scope, carrier), { prefix: dialect.prefix });
  }
  const control = { ...parts, dialects };
  const { ses: sesAccount } = accounts;
  const address = () => server.server.address() as AddressInfo;
  const ses = sesAccount?.accessKeyId
    ? new SesSimulator(
        sesAccount,
        { ...parts, defaultReceiptDelayMs },
        () => `http://127.0.0.1:${address().port}`,
      )
    : undefined;
  if (ses) server.register(async (scope) => ses.routes(scope), { prefix: '/ses' });
  const underControl = async (scope: FastifyInstance) => {
    controlRoutes(scope, control);
    mailboxRoutes(scope, mailbox);
    dnsRoutes(scope, records);
    ses?.controlRoutes(scope);
  };
  server.register(underControl, { prefix: '/_simulator' });
  const registry = new DndRegistry(scenarios);
  server.register(async (scope) => registry.lookupRoutes(scope), { prefix: '/dnd' });
  server.register(async (scope) => registry.controlRoutes(scope), { prefix: '/_simulator' });
  handsetPage(server);
  mailboxPage(server);
  emailPartRoutes(server, mailbox);
}
