export * from './in-process.adapter.js';
export * from './rpc.port.js';
