import type { NextConfig } from 'next';

// The folder lies in another project, whose lock file is not this one's.
const config: NextConfig = { turbopack: { root: import.meta.dirname } };

export default config;
