import { type DynamicModule, Module } from '@nestjs/common';
import type { Platform } from './service-definition.js';
import { BUS, DEAD_LETTERS, IN_PROCESS_QUEUE, RPC } from './tokens.js';
import { ServiceTransport } from './transport/service-transport.js';

/** Topics and calls between services, injectable everywhere. */
@Module({})
export class BusModule {
  static with({ bus, deadLetters, inProcessQueue, rpc }: Platform): DynamicModule {
    const providers = [
      { provide: BUS, useValue: bus },
      { provide: DEAD_LETTERS, useValue: deadLetters },
      { provide: IN_PROCESS_QUEUE, useValue: inProcessQueue },
      { provide: RPC, useValue: rpc },
      { provide: ServiceTransport, useFactory: () => new ServiceTransport(rpc, bus) },
    ];
    return { module: BusModule, global: true, providers, exports: providers };
  }
}
