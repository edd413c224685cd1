export { startCarrierSim } from './start-carrier-sim.js';
export type { CarrierSim, CarrierSimOptions } from './start-carrier-sim.js';
