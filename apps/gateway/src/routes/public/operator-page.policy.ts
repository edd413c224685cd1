import { routes } from '@watchword/contracts';
import { scriptedPagePolicy, sourceOf } from '../../edge/server/security-headers.policy.js';

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d8dee6, #303943); --quiet: light-dark(#5a6572, #94a1b0);
  --link: light-dark(#0b5cad, #7cb8ff); --bad: light-dark(#a3210b, #ff9a85); --soft: light-dark(#f2f5f8, #1a2027) }
* { box-sizing: border-box }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: light-dark(#1b1f24, #e3e8ee);
  background: light-dark(#fff, #12161b) }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1.2rem; padding: .7rem 1.5rem;
  border-bottom: 1px solid var(--line) }
nav:empty { display: none }
nav .quiet { margin-left: auto }
main { padding: 1rem 1.5rem 4rem; overflow-x: auto }
h1 { font-size: 1.4rem } h2 { font-size: 1.15rem; margin-top: 2.5rem } h3 { font-size: 1rem }
a { color: var(--link) } section > a { margin-left: 1rem }
nav a { text-decoration: none } nav a[aria-current] { font-weight: 600; text-decoration: underline }
table { border-collapse: collapse; width: 100% }
th, td { padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
th { color: var(--quiet); font-weight: 500 } th, td:first-child { white-space: nowrap }
tr[tabindex] { cursor: pointer } tr[tabindex]:is(:hover, :focus-visible) { background: var(--soft) }
code { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere }
.badge { padding: .05rem .5rem; border-radius: 1rem; background: var(--soft); white-space: nowrap }
.bad, .error { color: var(--bad) } .quiet { color: var(--quiet) }
form { display: flex; flex-wrap: wrap; align-items: end; gap: .8rem; margin: 1rem 0 }
label { display: grid; gap: .2rem; color: var(--quiet); font-size: .9rem }
.card { flex-direction: column; align-items: stretch; max-width: 22rem }
input, select, button { font: inherit; padding: .4rem .7rem }
td button { padding: .1rem .6rem; margin-right: .4rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem } dt { color: var(--quiet) } dd { margin: 0 }
[role=status] { position: sticky; top: 0; margin: 0; padding: .5rem 1.5rem; background: var(--soft) }
[role=status]:empty { display: none }
`;

/** Only the scripts of this page run, and only this server is asked. */
export const OPERATOR_PAGE_POLICY = scriptedPagePolicy({
  script: "'self'",
  style: sourceOf(STYLE),
  image: 'data:',
});

export const OPERATOR_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Watchword console</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<style>${STYLE}</style></head>
<body><nav></nav><p role="status"></p><main></main>
<noscript><p>This page needs JavaScript. The same is at <code>/operator/v1</code> for programs.</p></noscript>
<script type="module" src="${routes.getOperatorPage.path}/main.js"></script></body></html>
`;
