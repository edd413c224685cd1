export * from './in-process.adapter.js';
export * from './rpc.port.js';
export { TcpRpc, type TcpRpcOptions } from './tcp.adapter.js';
export type { TlsFiles } from './tcp/call-server.js';
