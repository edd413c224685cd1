/** Installs and builds what is missing in a checkout. */
export function setUp(options?: { directory?: string; development?: boolean }): Promise<void>;
