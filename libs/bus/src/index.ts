export * from './bus.port.js';
