import { testConnectionContract } from './connection-contract.kit.js';
import { LineCarrierAdapter, LineCarrierPeer } from './line-carrier.kit.js';

testConnectionContract('A carrier of the tests', {
  createPeer: () => new LineCarrierPeer(),
  createProvider: (address) => new LineCarrierAdapter('line', address),
});
