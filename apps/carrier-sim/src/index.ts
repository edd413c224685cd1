export { startCarrierSim } from './start-carrier-sim.js';
export type { CarrierSim, CarrierSimOptions } from './start-carrier-sim.js';
export { CarrierSimPortTaken, startCarrierSimHost } from './host/carrier-sim-host.js';
export type { CarrierSimHost, CarrierSimHostOptions } from './host/carrier-sim-host.js';
