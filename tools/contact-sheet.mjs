/**
 * `npm run contact-sheet`: starts a system of its own, fills it as `npm run demo` does, and writes a picture of each
 * page, light beside dark, to docs/guides/operate: in English on a desktop and in French on a phone.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import startSharedSystem, { stopSharedSystem } from '../tests/support/shared-system.setup.mjs';
import {
  DESKTOP,
  ENTRIES,
  liftLimits,
  logIn,
  openPage,
  PAGES,
  pagesOfOne,
  PHONE,
  readDemo,
  show,
  startBrowser,
} from './browser.mjs';
import { nodeOf, root, setUp } from './set-up.mjs';

const FOLDER = join(root, 'docs/guides/operate');
/** Bytes of both sheets. They are stored in the repository. */
const SIZE_MAX = 1_500_000;
const SHEETS = [
  { name: 'pages-desktop.jpg', locale: 'en', viewport: DESKTOP, width: 420, columns: 3 },
  { name: 'pages-phone.jpg', locale: 'fr', viewport: PHONE, width: 190, columns: 6 },
];

await setUp({ development: true });
const browser = await startBrowser();
const shots = mkdtempSync(join(tmpdir(), 'watchword-pages-'));
try {
  await startSharedSystem();
  const directory = dirname(process.env.WATCHWORD_CREDENTIALS);
  execFileSync(nodeOf(), ['apps/all-in-one/dist/operator/main.js', 'demo'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: directory },
    stdio: 'inherit',
  });
  const demo = readDemo(directory);
  await liftLimits(demo);
  await addMore(demo);
  let size = 0;
  for (const sheet of SHEETS) {
    const columns = [];
    for (const colorScheme of ['light', 'dark']) {
      columns.push(await shoot(demo, { colorScheme, ...sheet }));
    }
    const jpeg = await draw(columns, sheet);
    writeFileSync(join(FOLDER, sheet.name), jpeg);
    size += jpeg.length;
    console.log(`${sheet.name}: ${columns[0].size} pages, ${jpeg.length} bytes`);
  }
  if (size > SIZE_MAX) throw new Error(`The sheets have ${size} bytes, more than ${SIZE_MAX}`);
} finally {
  await browser.close();
  await stopSharedSystem();
  rmSync(shots, { recursive: true });
}

/** Adds what the demo's week lacks: an endpoint with a delivery, and an email in the mailbox. */
async function addMore({ base_url: base, status_url: closed, email, password }) {
  const post = async (path, body, headers = {}) => {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { json: await answer.json(), cookie: answer.headers.get('set-cookie') };
  };
  await post('/auth/password/forgot', { email });
  const { json: session, cookie } = await post('/auth/login', { email, password });
  const headers = {
    cookie: cookie.split(';')[0],
    'x-csrf-token': session.csrf_token,
    'x-watchword-mode': 'live',
  };
  const body = { url: `${closed}/hooks`, events: ['otp.delivered', 'sms.delivered'] };
  const { json: endpoint } = await post('/v1/webhooks', body, headers);
  await post(`/v1/webhooks/${endpoint.id}/test`, {}, headers);
}

/** Returns the file of each page's picture by its title. */
async function shoot(demo, view) {
  const { context, page } = await openPage(browser, view);
  const files = new Map();
  const capture = async (title) => {
    const file = join(shots, `${view.name}-${view.colorScheme}-${files.size}.png`);
    await page.screenshot({ path: file });
    files.set(title, file);
  };
  const visit = async (path, title = path) => {
    await show(page, demo, path);
    await capture(title);
  };
  for (const path of ENTRIES) await visit(path);
  await logIn(page, demo);
  const { workspace_id: id } = await read(page, '/auth/me').then(({ workspace }) => workspace);
  const single = await pagesOfOne((path) => read(page, `/v1${path}`), id);
  for (const path of PAGES) await visit(path);
  for (const [title, path] of Object.entries(single)) await visit(path, title);
  for (const [title, path] of Object.entries({ handset: '', mailbox: 'emails' })) {
    await page.goto(`${demo.simulator_url}/${path}`);
    await page.locator('main h2').first().waitFor();
    await capture(title);
  }
  await context.close();
  return files;
}

/** Reads what a member may read, in the live mode. */
function read(page, path) {
  return page.evaluate(async (url) => {
    const headers = { 'x-watchword-mode': 'live' };
    return (await fetch(url, { headers })).json();
  }, path);
}

async function draw([light, dark], { viewport, width, columns }) {
  const height = Math.round((width * viewport.height) / viewport.width);
  const images = (files) =>
    files.map((file) => `<img src="data:image/png;base64,${readFileSync(file, 'base64')}">`);
  const cells = [...light].map(
    ([title, file]) =>
      `<figure><figcaption>${title}</figcaption>${images([file, dark.get(title)]).join('')}</figure>`,
  );
  const page = await browser.newPage({
    viewport: { width: columns * (2 * (width + 4) + 16) + 16, height: 400 },
  });
  await page.setContent(`<style>
    body { margin: 8px; display: grid; grid-template-columns: repeat(${columns}, auto); gap: 12px 16px; font: 13px sans-serif; }
    figure { margin: 0; display: flex; flex-wrap: wrap; gap: 4px; } figcaption { width: 100%; }
    img { width: ${width}px; height: ${height}px; border: 1px solid #888; box-sizing: border-box; }
  </style>${cells.join('')}`);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const jpeg = await page.screenshot({ fullPage: true, type: 'jpeg', quality: 72 });
  await page.close();
  return jpeg;
}
