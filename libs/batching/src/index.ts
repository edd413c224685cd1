export * from './micro-batcher.js';
