/** Installs and builds what is missing in a checkout. */
export function setUp(directory?: string): Promise<void>;
