export * from './provider.port.js';
