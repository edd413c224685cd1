export * from './deadline.js';
export * from './micro-batcher.js';
export * from './open-items.js';
