export { boot } from './boot.js';
export type { BootContext } from './boot.js';
export { startCarrierSim } from './carrier-sim.js';
export { installation } from './services.js';
