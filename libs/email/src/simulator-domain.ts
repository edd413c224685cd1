/** Domain of test-mode recipients. Live email never goes there. */
export const SIMULATOR_DOMAIN = 'sim.test';

export function isSimulatorDomain(name: string): boolean {
  return name === SIMULATOR_DOMAIN || name.endsWith(`.${SIMULATOR_DOMAIN}`);
}
