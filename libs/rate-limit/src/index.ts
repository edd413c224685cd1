export * from './rate-limit.port.js';
