export * from './deadline.js';
export * from './micro-batcher.js';
