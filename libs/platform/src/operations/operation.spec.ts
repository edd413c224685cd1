import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { Bus } from '@watchword/bus';
import {
  ApiError,
  callRoute,
  newId,
  OPERATIONS,
  type Outcome,
  routes,
  type SmsTemplate,
  unknownResource,
} from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import { InProcessRpc, type Rpc, TcpRpc } from '@watchword/rpc';
import { ServiceTransport } from '../transport/service-transport.js';
import { Operation } from './operation.decorator.js';
import { Body, Caller, Id, type WorkspaceCaller } from './parameters.js';

@Controller()
class TemplatesOfSpec {
  @Operation(routes.createSmsTemplate)
  create(@Caller() caller: WorkspaceCaller, @Body() body: object): Outcome {
    return { body: { ...caller, ...body }, effect: { done: true } };
  }

  @Operation(routes.getSmsTemplate, routes.deleteSmsTemplate)
  get(@Id() id: string): Outcome {
    if (id === 'broken') throw new Error('a fault');
    if (id === 'busy') throw new ApiError('rate_limit_exceeded', { retryAfterSeconds: 7 });
    throw unknownResource('template');
  }
}

@Module({ controllers: [TemplatesOfSpec] })
class ModuleOfSpec {}

const workspaceId = newId();

/** Serves the controller by one end, and calls it by the other. */
async function open(served: Rpc, caller: Rpc) {
  const app: INestMicroservice = await NestFactory.createMicroservice<MicroserviceOptions>(
    ModuleOfSpec,
    { strategy: new ServiceTransport(onlyServed(served), {} as Bus), logger: false },
  );
  await app.listen();
  return { app, operations: caller.client(OPERATIONS.dispatch) };
}

/** The controller serves a few of the routes. The others are refused here. */
function onlyServed(rpc: Rpc): Rpc {
  const absent = () => Promise.reject(new Error('not served'));
  return {
    client: (declared) => rpc.client(declared),
    serve: (declared, implementation) => {
      const all = Object.keys(declared.calls).map((name) => [name, absent]);
      rpc.serve(declared, { ...Object.fromEntries(all), ...implementation });
    },
  };
}

const secret = 'a secret of at least thirty-two characters';
const logger = createLogger({ service: 'spec', level: 'silent' });

describe.each(['in one process', 'over TCP'])('a route of another service, %s', (shape) => {
  let operations: Awaited<ReturnType<typeof open>>['operations'];
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    if (shape === 'in one process') {
      const rpc = new InProcessRpc();
      const opened = await open(rpc, rpc);
      ({ operations } = opened);
      closing.push(() => opened.app.close());
      return;
    }
    const callee = new TcpRpc({ sharedSecrets: [secret], logger });
    const address = `127.0.0.1:${await callee.listen('127.0.0.1', 0)}`;
    const addresses = { dispatch: [address] };
    const caller = new TcpRpc({ sharedSecrets: [secret], logger, addresses });
    const opened = await open(callee, caller);
    ({ operations } = opened);
    closing.push(
      () => caller.close(),
      () => callee.close(),
      () => opened.app.close(),
    );
  });

  afterAll(async () => {
    for (const close of closing) await close();
  });

  const get = (id: string, route = routes.getSmsTemplate) =>
    callRoute<SmsTemplate>(operations, route, { parameters: { id } });

  it('returns the outcome of its method', async () => {
    const caller = { workspace_id: workspaceId, test_mode: true };
    const asked = { ...caller, body: { name: 'A' } };
    expect(await callRoute(operations, routes.createSmsTemplate, asked)).toEqual({
      body: { ...caller, name: 'A' },
      effect: { done: true },
    });
  });

  it('throws the refusal of its method, with its sentence in every language', async () => {
    const { text } = unknownResource('template');
    for (const route of [routes.getSmsTemplate, routes.deleteSmsTemplate]) {
      const refusal = get('none', route);
      await expect(refusal).rejects.toBeInstanceOf(ApiError);
      await expect(refusal).rejects.toMatchObject({ type: 'not_found', status: 404, text });
    }
    await expect(get('busy')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 7 });
  });

  it('throws a fault as a fault, and a body that names a workspace changes no caller', async () => {
    await expect(get('broken')).rejects.not.toBeInstanceOf(ApiError);
    const asked = { workspace_id: null, body: { workspace_id: workspaceId } };
    await expect(callRoute(operations, routes.createSmsTemplate, asked)).rejects.toMatchObject({
      message: 'the route was called without a workspace',
    });
  });
});
