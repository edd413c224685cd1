import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  type ApproveDeviceBody,
  type DenyDeviceBody,
  type DeviceLogInQuery,
  type DeviceTokenBody,
  type Outcome,
  routes,
  type StartDeviceLogInBody,
} from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicAddressOf } from '../../edge/filters/error-envelope.policy.js';
import { AuditedCalls } from '../../edge/interceptors/audit.interceptor.js';
import { Body, Member, Query } from '../../edge/request/parameters.js';
import { sendJson } from '../../edge/request/request-context.js';
import { Operation } from '../../edge/server/operation.decorator.js';
import { clientIpOf } from '../../limits/client-ip.js';
import type { Member as Person } from '../../people/account.js';
import { DeviceLogInsHandler } from '../../people/device-log-ins.handler.js';

const PAGE = '/app#/device';

/** `/auth/device`: the log-in of the command line, and its confirmation by a member. */
@Controller()
export class DeviceLogInsController {
  constructor(
    @Inject(DeviceLogInsHandler) private readonly logIns: DeviceLogInsHandler,
    @Inject(AuditedCalls) private readonly calls: AuditedCalls,
    @Inject(PLATFORM) private readonly platform: Platform,
  ) {}

  @Operation(routes.startDeviceLogIn)
  async start(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() { client_name }: StartDeviceLogInBody,
  ): Promise<void> {
    const { config } = this.platform;
    const ip = clientIpOf(request, config.trustedProxies);
    const address = publicAddressOf(config) || `http://${request.headers.host ?? 'localhost'}`;
    this.answer(request, reply, await this.logIns.start(client_name, ip, `${address}${PAGE}`));
  }

  @Operation(routes.pollDeviceLogIn)
  async poll(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Body() { device_code: deviceCode }: DeviceTokenBody,
  ): Promise<void> {
    const { status, device } = await this.logIns.poll(deviceCode);
    if (!device?.userId) return this.answer(request, reply, { status });
    const { userId, workspaceId } = device;
    const actor = { kind: 'user', userId, workspaceId } as const;
    const made = await this.calls.run(request, actor, 200, () => this.logIns.redeem(deviceCode));
    this.answer(request, reply, made.body);
  }

  @Operation(routes.getDeviceLogIn)
  show(@Member() member: Person, @Query() { user_code }: DeviceLogInQuery): Promise<Outcome> {
    return this.logIns.show(member, user_code);
  }

  @Operation(routes.approveDeviceLogIn)
  approve(@Member() member: Person, @Body() body: ApproveDeviceBody): Promise<Outcome> {
    return this.logIns.approve(member, body);
  }

  @Operation(routes.denyDeviceLogIn)
  deny(@Member() member: Person, @Body() { user_code }: DenyDeviceBody): Promise<Outcome> {
    return this.logIns.deny(member, user_code);
  }

  private answer(request: FastifyRequest, reply: FastifyReply, body: unknown): void {
    reply.header('cache-control', 'no-store');
    sendJson(request, reply, 200, JSON.stringify(body));
  }
}
