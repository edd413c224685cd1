/** Recipients of test mode live here; live email never goes there. */
export const SIMULATOR_DOMAIN = 'sim.test';

export function isSimulatorDomain(name: string): boolean {
  return name === SIMULATOR_DOMAIN || name.endsWith(`.${SIMULATOR_DOMAIN}`);
}
