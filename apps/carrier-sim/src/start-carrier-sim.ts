import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { controlRoutes } from './control/control.controller.js';
import { dialectsOf } from './dialects/dialect.registry.js';
import type { Accounts } from './dialects/dialect.registry.js';
import { MessageStore } from './handset/message.store.js';
import { Carrier } from './outcomes/carrier.handler.js';
import { CarrierRolesStore } from './outcomes/carrier-roles.store.js';
import { CallbackClient } from './receipts/callback.adapter.js';
import { ReceiptJob } from './receipts/receipt.job.js';
import { TimerWheel } from './receipts/timer-wheel.js';
import { ScenarioStore } from './scenarios/scenario.store.js';

export interface CarrierSimOptions {
  /** Keep it on the loopback interface: the control interface shows the text of every message. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port?: number;
  readonly defaultReceiptDelayMs?: number;
  readonly accounts: Accounts;
}

export interface CarrierSim {
  /** Without a path; a carrier's base URL is this and `/twilio` or `/africas-talking`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Receipts and retries that wait, at about 300 bytes each. */
const WAITING_MAX = 500_000;

/**
 * Plain Fastify instead of Nest: the simulator is one flat set of routes without modules to wire,
 * and under a bench each microsecond it takes is taken from the product beside it.
 */
export async function startCarrierSim(options: CarrierSimOptions): Promise<CarrierSim> {
  const wheel = new TimerWheel(WAITING_MAX);
  const callbacks = new CallbackClient(wheel);
  const receipts = new ReceiptJob(wheel, callbacks);
  const server = fastify({
    // Whatever hangs on purpose must not keep the server from closing.
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, allowUnionTypes: true } },
  });
  registerRoutes(server, options, { wheel, callbacks, receipts });
  const host = options.host ?? '127.0.0.1';
  await server.listen({ host, port: options.port ?? 0 });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async close() {
      wheel.stop();
      receipts.stop();
      await server.close();
      await callbacks.close();
    },
  };
}

interface ReceiptParts {
  readonly wheel: TimerWheel;
  readonly callbacks: CallbackClient;
  readonly receipts: ReceiptJob;
}

function registerRoutes(
  server: FastifyInstance,
  { accounts, defaultReceiptDelayMs = 50 }: CarrierSimOptions,
  { wheel, callbacks, receipts }: ReceiptParts,
): void {
  const messages = new MessageStore();
  const scenarios = new ScenarioStore();
  const roles = new CarrierRolesStore();
  const dialects = dialectsOf(accounts);
  for (const dialect of dialects) {
    const parts = { scenarios, roles, messages, receipts, defaultReceiptDelayMs };
    const carrier = new Carrier(dialect, parts);
    server.register(async (scope) => dialect.routes(scope, carrier), { prefix: dialect.prefix });
  }
  const control = { dialects, messages, scenarios, wheel, callbacks, receipts };
  server.register(async (scope) => controlRoutes(scope, control), { prefix: '/_simulator' });
}
