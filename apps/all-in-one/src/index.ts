export { boot } from './boot.js';
export type { BootContext, BootedSystem } from './boot.js';
export { Closers } from './closers.js';
