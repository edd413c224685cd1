import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Bus, OutgoingMessage } from '@watchword/bus';
import { NO_IN_PROCESS_QUEUE } from '@watchword/bus';
import { accountFrom, builtInAccounts } from '@watchword/carriers';
import { loadConfig } from '@watchword/config';
import {
  billingCalls,
  dispatchCalls,
  OPERATIONS,
  webhooksCalls,
  type WorkspaceId,
} from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import type { Platform } from '@watchword/platform';
import { InProcessRpc } from '@watchword/rpc';
import { FakeClock, noDeadLetters, testDatabase, type TestDatabase } from '@watchword/testing';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { configureHttp } from '../src/edge/server/configure-http.js';
import { createHttpAdapter } from '../src/edge/server/http-adapter.js';
import { gatewayService } from '../src/index.js';
import { scripted } from './scripted-operations.js';
import { ScriptedBilling, ScriptedDispatch, ScriptedWebhooks } from './scripted-services.js';

export const OPERATOR_TOKEN = 'operator-token-of-at-least-32-characters';
export const CALLBACK_SECRET = 'callback-secret-0123456789';
export const TWILIO_TOKEN = 'authtoken';
/** Where the carrier simulator plays Twilio. */
const TWILIO = accountFrom('twilio', {
  authToken: TWILIO_TOKEN,
  baseUrl: 'http://127.0.0.1:4010/twilio',
});

export interface WorkspaceKeys {
  workspace_id: WorkspaceId;
  live_key: string;
  test_key: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  // The shape is what the specs assert.
  // oxlint-disable-next-line no-explicit-any
  body: any;
}

export interface TestGateway {
  app: NestFastifyApplication;
  platform: Platform;
  database: TestDatabase;
  clock: FakeClock;
  billing: ScriptedBilling;
  dispatch: ScriptedDispatch;
  webhooks: ScriptedWebhooks;
  published: OutgoingMessage[];
  logs: string[];
  /** Every route, as `GET /v1/otp/:id`. */
  routes: string[];
  call(options: InjectOptions): Promise<Answer>;
  post(path: string, key: string | undefined, body: unknown, headers?: object): Promise<Answer>;
  get(path: string, key?: string, headers?: object): Promise<Answer>;
  operator(method: string, path: string, body?: unknown, headers?: object): Promise<Answer>;
  newWorkspace(settings?: object): Promise<WorkspaceKeys>;
  close(): Promise<void>;
}

export interface GatewayHooks {
  /** Prepares the services before the gateway starts. */
  before?: (services: {
    billing: ScriptedBilling;
    dispatch: ScriptedDispatch;
    webhooks: ScriptedWebhooks;
  }) => Promise<unknown>;
}

/**
 * Opens the real edge over a real database. The other services are scripted behind real internal
 * calls.
 */
export async function openGateway(
  environment: Record<string, string> = {},
  existing?: TestDatabase,
  { before = async () => undefined }: GatewayHooks = {},
): Promise<TestGateway> {
  const { migrations } = gatewayService;
  const database = existing ?? (await testDatabase({ service: 'gateway', migrations }));
  const clock = new FakeClock(Date.now());
  const [billing, dispatch, webhooks] = [
    new ScriptedBilling(clock),
    new ScriptedDispatch(),
    new ScriptedWebhooks(),
  ];
  await before({ billing, dispatch, webhooks });
  const rpc = new InProcessRpc();
  rpc.serve(billingCalls, scripted(billing.calls));
  rpc.serve(dispatchCalls, scripted(dispatch.calls));
  rpc.serve(webhooksCalls, scripted(webhooks.calls));
  rpc.serve(OPERATIONS.billing, billing.operations);
  rpc.serve(OPERATIONS.dispatch, dispatch.operations);
  rpc.serve(OPERATIONS.webhooks, webhooks.operations);
  const published: OutgoingMessage[] = [];
  const logs: string[] = [];
  const { config: read } = loadConfig({
    OPERATOR_TOKEN,
    CALLBACK_SECRET,
    CALLBACK_BASE_URL: 'https://sms.example.com',
    ...environment,
  });
  const others = ['africas_talking', 'vonage', 'infobip'].map((token) => accountFrom(token, {}));
  const accounts = [TWILIO, ...others, ...builtInAccounts()];
  const config = { ...read, carrierAccounts: accounts };
  const destination = { write: (line: string) => void logs.push(line) };
  const logger = createLogger({ service: 'gateway', level: 'debug' }, destination);
  const platform: Platform = {
    config,
    database,
    bus: recordingBus(published),
    deadLetters: noDeadLetters(),
    inProcessQueue: NO_IN_PROCESS_QUEUE,
    rpc,
    logger,
    clock,
    graceMs: () => 4_000,
    showDependency: () => undefined,
  };
  const app = await NestFactory.create<NestFastifyApplication>(
    await gatewayService.module(platform),
    createHttpAdapter(),
    { logger: false },
  );
  configureHttp(app, platform);
  const routes: string[] = [];
  (app.getHttpAdapter().getInstance() as FastifyInstance).addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) routes.push(`${method} ${route.url}`);
  });
  await app.init();
  const call = async (options: InjectOptions): Promise<Answer> => {
    const response = await app.inject(options as never);
    const { statusCode: status, headers, payload: text } = response;
    const isJson = String(headers['content-type']).startsWith('application/json');
    return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
  };
  const operator: TestGateway['operator'] = (method, path, body, headers = {}) =>
    call({
      method: method as 'GET',
      url: `/operator/v1${path}`,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, ...headers },
      payload: body as object,
    });
  return {
    app,
    platform,
    database,
    clock,
    billing,
    dispatch,
    webhooks,
    published,
    logs,
    routes,
    call,
    post: (url, key, body, headers = {}) =>
      call({
        method: 'POST',
        url,
        headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
        payload: body as object,
      }),
    get: (url, key, headers = {}) =>
      call({
        method: 'GET',
        url,
        headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
      }),
    operator,
    async newWorkspace(settings = {}) {
      const { status, body, text } = await operator('POST', '/workspaces', {
        name: 'Acme',
        credits: 1000,
        settings,
      });
      if (status !== 201) throw new Error(text);
      return body;
    },
    async close() {
      await app.close();
      await database.drop();
    },
  };
}

function recordingBus(published: OutgoingMessage[]): Bus {
  return {
    publish: async (_topic, messages) => void published.push(...messages),
    subscribe: async () => ({ close: async () => {} }),
    close: async () => {},
  };
}

/** Limits so high that specs about other things never meet them. */
export const UNLIMITED = {
  limits: {
    key_per_minute: null,
    workspace_per_minute: null,
    variant_b_per_second: null,
    otp_sends_per_number_per_10_minutes: null,
    otp_verifications_per_number_per_10_minutes: null,
    sms_per_number_per_minute: null,
    otp_sends_per_prefix_per_hour: null,
  },
};
