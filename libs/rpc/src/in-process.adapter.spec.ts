import { InProcessRpc } from './in-process.adapter.js';
import { describeRpcContract } from './rpc-contract.kit.js';

describeRpcContract('within a process', async () => {
  const rpc = new InProcessRpc();
  return { caller: rpc, callee: rpc, close: async () => {} };
});
