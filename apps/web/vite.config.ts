import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** tools/build-sites.mjs compresses the files and moves them to `dist` when all are there. */
const OUTPUT = 'node_modules/.cache/site';

/** Packages that change less often than the pages, in files of their own. */
function chunkOf(id: string): string | undefined {
  if (!id.includes('node_modules')) return undefined;
  if (/node_modules\/(?:react|react-dom|scheduler)\//.test(id)) return 'react';
  if (id.includes('node_modules/@tanstack/')) return 'tanstack';
  return undefined;
}

export default defineConfig({
  base: '/app/',
  plugins: [react()],
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    assetsDir: '',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rollupOptions: { output: { manualChunks: chunkOf } },
  },
});
