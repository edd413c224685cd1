import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { PLATFORM, type Platform } from '@watchword/platform';
import { Dispatch } from './dispatch.js';

@Module({})
export class DispatchModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly dispatch: Dispatch;

  constructor(@Inject(PLATFORM) platform: Platform) {
    this.dispatch = new Dispatch(platform);
  }

  static with(platform: Platform): DynamicModule {
    return { module: DispatchModule, providers: [{ provide: PLATFORM, useValue: platform }] };
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
