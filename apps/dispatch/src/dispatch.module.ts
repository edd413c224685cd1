import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { Platform } from '@watchword/platform';
import { Dispatch } from './dispatch.js';
import { configuredEmail } from './emails/configured-email.js';
import { configuredProviders } from './sending/live-providers.js';

@Module({})
export class DispatchModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(@Inject(Dispatch) private readonly dispatch: Dispatch) {}

  static async with(platform: Platform): Promise<DynamicModule> {
    const providers = await configuredProviders(platform.config, platform.clock);
    const email = await configuredEmail(platform);
    const dispatch = new Dispatch(platform, providers, email);
    return { module: DispatchModule, providers: [{ provide: Dispatch, useValue: dispatch }] };
  }

  onModuleInit(): void {
    this.dispatch.serve();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.dispatch.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dispatch.stop();
  }
}
