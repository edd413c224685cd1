import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** tools/build-web.mjs moves it to `dist` when it is whole. */
const OUTPUT = 'node_modules/.cache/web';

/** Each file of a build also as Brotli and gzip, so that the gateway compresses nothing. */
const precompressed: Plugin = {
  name: 'precompressed',
  closeBundle() {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
    for (const name of readdirSync(OUTPUT)) {
      if (!/\.(?:js|css|svg)$/.test(name)) continue;
      const file = join(OUTPUT, name);
      const bytes = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
};

/** Packages that change less often than the pages, in files of their own. */
function chunkOf(id: string): string | undefined {
  if (!id.includes('node_modules')) return undefined;
  if (/node_modules\/(?:react|react-dom|scheduler)\//.test(id)) return 'react';
  if (id.includes('node_modules/@tanstack/')) return 'tanstack';
  return undefined;
}

export default defineConfig({
  base: '/app/',
  plugins: [react(), precompressed],
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
