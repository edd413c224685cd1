/** Installs and builds what is missing in a checkout. Development packages are wanted unless it says otherwise. */
export function setUp(options?: { directory?: string; development?: boolean }): Promise<void>;
