import { Module } from '@nestjs/common';
import { NetworkRpc } from './network.rpc.js';
import { NumberNetworkStore } from './number-network.store.js';
import { NumberNetworks } from './number-networks.js';

/** The networks of ported numbers. */
@Module({
  controllers: [NetworkRpc],
  providers: [NumberNetworkStore, NumberNetworks],
  exports: [NumberNetworks],
})
export class NetworksModule {}
