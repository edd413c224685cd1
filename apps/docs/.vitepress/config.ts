import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type DefaultTheme, type MarkdownOptions } from 'vitepress';

interface Group extends DefaultTheme.SidebarItem {
  language?: string;
}

const app = join(import.meta.dirname, '..');
const groups = JSON.parse(readFileSync(join(app, '.pages/groups.json'), 'utf8')) as Group[];
const english = groups.filter(({ language }) => language === undefined);
const french = groups.filter(({ language }) => language === 'fr');

const markdown: MarkdownOptions = {
  // Pages are Markdown only: what looks like a tag is text.
  html: false,
  theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
  anchor: { slugify: githubSlug },
  config(renderer) {
    // Vue would read double braces, which templates of messages have, as its own.
    for (const name of ['text', 'code_inline'] as const) {
      const rule = renderer.renderer.rules[name];
      if (!rule) continue;
      renderer.renderer.rules[name] = (...args) =>
        rule(...args)
          .replaceAll('{{', '&#123;&#123;')
          .replaceAll('}}', '&#125;&#125;');
    }
  },
};

/** The same anchors as where the source is read, so a link works in both places. */
function githubSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Inline scripts of the pages: the gateway's content security policy names their hashes. */
const inlineScripts = new Set<string>();

function rememberInlineScripts(html: string): void {
  for (const [, script = ''] of html.matchAll(/<script(?: id="[\w-]+")?>([\s\S]*?)<\/script>/g)) {
    inlineScripts.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  }
}

export default defineConfig({
  title: 'Watchword',
  description: 'One-time passwords, SMS and emails over several carriers.',
  base: '/docs/',
  srcDir: '.pages',
  outDir: 'node_modules/.cache/site',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown,
  router: { prefetchLinks: false },
  vite: {
    build: {
      chunkSizeWarningLimit: 1_000,
      reportCompressedSize: false,
      // One folder for all: the gateway knows no deeper ones.
      rollupOptions: { output: { chunkFileNames: 'assets/[name].[hash].js' } },
    },
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === 'rapi-doc' } } },
  lang: 'en',
  transformHtml(html, _, { page }) {
    rememberInlineScripts(html);
    return page.startsWith('fr/') ? html.replace('<html lang="en"', '<html lang="fr"') : html;
  },
  buildEnd({ outDir }) {
    writeFileSync(join(outDir, 'inline-scripts.txt'), [...inlineScripts].toSorted().join(' '));
  },
  themeConfig: {
    search: { provider: 'local' },
    i18nRouting: false,
    outline: { level: [2, 3] },
    docFooter: { prev: 'Previous', next: 'Next' },
    nav: [
      { text: 'Guides', link: '/first-code' },
      { text: 'API', link: '/api' },
      { text: 'SDKs', link: '/sdks' },
      { text: 'Errors', link: '/errors' },
      { text: 'Operate', link: '/operate' },
    ],
    sidebar: [...english, { text: 'API reference', items: apiPages() }, ...french],
  },
});

function apiPages(): DefaultTheme.SidebarItem[] {
  return [
    { text: 'With an API key', link: '/api' },
    { text: 'Accounts and dashboard', link: '/api/dashboard' },
    { text: 'Operators', link: '/api/operator' },
  ];
}
