/**
 * `npm run test:browser`: every page of `/app` in a real Chromium, against a running system whose credentials
 * it reads: in both languages, light and dark, at a desktop's and a phone's width, with axe; then the main actions. It
 * waits for conditions only. `--shots FOLDER` keeps a picture of each page; `--sheet` only takes pictures, and writes
 * them as one to docs/guides/operate/pages.png.
 */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { fill } from './browser-data.mjs';
import { writeSheet } from './browser-sheet.mjs';
import { cache, once } from './tool-cache.mjs';

/** The exit code by which `test-nightly.mjs` knows that a part was skipped. */
const SKIPPED = 77;
const AXE = 'axe-core@4.14.1';
/** Milliseconds; only what never happens is an error. */
const WITHIN_MS = 120_000;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const PAGES = Object.fromEntries(
  [
    ...['overview', 'messages', 'playground', 'money', 'webhooks', 'senders', 'developers'],
    ...[
      'people',
      'settings',
      'device',
      'operator/messages',
      'operator/workspaces',
      'operator/carriers',
    ],
    ...['operator/sender-ids', 'operator/dead-letters', 'operator/payments', 'operator/prices'],
    ...['operator/users', 'operator/platform', 'operator/audit'],
  ].map((path) => [path, path]),
);
const LOOKS = [
  { locale: 'en', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { locale: 'fr', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { locale: 'en', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { locale: 'fr', colorScheme: 'light', viewport: { width: 390, height: 844 } },
];

const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
if (executablePath === undefined) {
  console.log('SKIPPED: there is no Chromium (Debian: chromium). CHROMIUM names another one.');
  process.exit(SKIPPED);
}
execFileSync(process.execPath, ['tools/build-sites.mjs', 'apps/web'], { stdio: 'inherit' });
const axe = join(once(join(cache, AXE), install), 'node_modules/axe-core/axe.min.js');
const { base_url: base, ...demo } = JSON.parse(
  readFileSync(join(process.env.DATA_DIR ?? '.data', 'dev-credentials.json'), 'utf8'),
);
const isSheet = process.argv.includes('--sheet');
const shots = isSheet ? mkdtempSync(join(tmpdir(), 'pages-')) : folderOfShots();

const browser = await chromium.launch({ executablePath, args: FLAGS, headless: true });
const faults = [];
/** The page in work, and its requests without an answer. */
let current;
const waiting = new Set();
try {
  const pages = { ...PAGES, ...(await fill({ base_url: base, ...demo })) };
  if (isSheet) await drawSheet(pages);
  else await test(pages);
} catch (error) {
  await describeStuckPage().catch(() => undefined);
  throw error;
} finally {
  await browser.close();
  if (isSheet) rmSync(shots, { recursive: true });
}

function folderOfShots() {
  const index = process.argv.indexOf('--shots');
  if (index === -1) return undefined;
  mkdirSync(process.argv[index + 1], { recursive: true });
  return process.argv[index + 1];
}

async function test(pages) {
  for (const look of LOOKS) await walk(look, pages, check);
  await act();
  assert.deepEqual(faults, []);
  const count = Object.keys(pages).length;
  console.log(`${count} pages in ${LOOKS.length} looks and the main actions: no fault`);
}

/** English on a desktop: light beside dark. */
async function drawSheet(pages) {
  const [light, , dark] = LOOKS;
  for (const look of [light, dark]) await walk(look, pages, async () => undefined);
  const pictures = Object.keys(pages).map((title) => ({
    title,
    files: [light, dark].map((look) => shotOf(title, look)),
  }));
  await writeSheet(browser, pictures, 'docs/guides/operate/pages.png');
}

function install(into) {
  const flags = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix'];
  execFileSync('npm', ['install', AXE, ...flags, into], { stdio: 'inherit' });
}

async function open(look) {
  const context = await browser.newContext({ ...look, reducedMotion: 'reduce' });
  context.setDefaultTimeout(WITHIN_MS);
  const page = await context.newPage();
  current = page;
  page.on('request', (request) => waiting.add(request));
  for (const end of ['requestfinished', 'requestfailed']) {
    page.on(end, (request) => waiting.delete(request));
  }
  const where = `${look.locale} ${look.colorScheme} ${look.viewport.width}`;
  page.on('console', (message) => {
    // The browser itself reports each 401 of a visitor who has not logged in yet.
    const isExpected = /status of 401|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET/.test(
      message.text(),
    );
    if (message.type() === 'error' && !isExpected) faults.push(`${where}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${where}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) {
      faults.push(`${where}: asked ${request.url()}`);
    }
  });
  return { context, page, where };
}

/** What a page shows that does not come to what was waited for. */
async function describeStuckPage() {
  console.error(faults.join('\n'));
  console.error(`${current.url()} waits for ${[...waiting].map((one) => one.url()).join(', ')}`);
  console.error(await current.evaluate(() => document.body.innerText.slice(0, 1_000)));
}

async function logIn(page) {
  await page.goto(`${base}/app#/login`);
  await page.locator('input[type=email]').fill(demo.email);
  await page.locator('input[type=password]').fill(demo.password);
  await page.locator('form button[type=submit]').click();
  await page.locator('nav a[href$="#/overview"]').first().waitFor({ state: 'attached' });
}

/** Opens a page and waits until it shows its title and nothing is loading. */
async function show(page, path) {
  await page.goto('about:blank');
  await page.goto(`${base}/app#/${path}`);
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('main [role=status]') === null);
  await page.locator('main[aria-busy=false]').waitFor();
}

async function walk(look, pages, checkPage) {
  const { context, page, where } = await open(look);
  await logIn(page);
  for (const [title, path] of Object.entries(pages)) {
    await show(page, path);
    await checkPage(page, `${where} ${title}`);
    if (shots) await page.screenshot({ path: shotOf(title, look), fullPage: !isSheet });
  }
  await context.close();
}

function shotOf(title, { locale, colorScheme, viewport }) {
  const name = [title.replaceAll(/\W+/g, '-'), locale, colorScheme, viewport.width].join('-');
  return join(shots, `${name}.png`);
}

async function check(page, where) {
  const failed = page.getByText(/This could not be loaded|Le chargement a échoué/);
  if ((await failed.count()) > 0) faults.push(`${where}: could not be loaded`);
  const over = await page.evaluate(() => {
    const { scrollWidth: wide, clientWidth: seen } = document.documentElement;
    return wide - seen;
  });
  if (over > 0) faults.push(`${where}: ${over} pixels wider than the screen`);
  faults.push(...(await violations(page)).map((one) => `${where}: ${one}`));
}

/** Serious findings of axe. Its script is evaluated outside of the page's policy. */
async function violations(page) {
  await page.evaluate(readFileSync(axe, 'utf8'));
  const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

async function act() {
  const { context, page } = await open(LOOKS[0]);
  await logIn(page);
  // A code in test mode, from the form to its page.
  await show(page, 'playground');
  await page.getByText('Test', { exact: true }).first().click();
  await page.getByLabel('Phone number').fill('+2348030000001');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('link', { name: 'Open the message' }).click();
  await page.waitForURL(/#\/messages\//);
  await page.locator('main h1').first().waitFor();
  await follow(page);
  await search(page);
  await makeKey(page);
  await addEndpoint(page);
  await invite(page);
  // Without a connection a page says so, and shows what there is once it is back.
  await context.route('**/*ledger*', (route) => route.abort('internetdisconnected'));
  await page.evaluate(() => (location.hash = '#/money'));
  await page.getByText('The server cannot be reached').first().waitFor();
  await context.unroute('**/*ledger*');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.waitForFunction(() => document.querySelector('main table') !== null);
  // Another tab that logs out ends the session of this one.
  const other = await context.newPage();
  await show(other, 'overview');
  await other.evaluate(() => fetch('/auth/logout', { method: 'POST' }));
  await context.clearCookies();
  await page.reload();
  await page.locator('input[type=password]').waitFor();
  await context.close();
}

/** The list follows what happens, also after the stream could not be opened. */
async function follow(page) {
  const stream = '**/dashboard/stream*';
  await page.route(stream, (route) => route.abort('connectionreset'));
  await show(page, 'messages');
  await page.getByText('Reconnecting…').waitFor();
  await page.unroute(stream);
  await page.getByRole('note').filter({ hasText: 'Live' }).waitFor();
  const number = `+23480302${String(Date.now() % 1_000).padStart(3, '0')}00`;
  await sendCode(number);
  const row = page.getByRole('row').filter({ hasText: number });
  await row.getByText('Delivered').waitFor();
}

async function sendCode(phone_number) {
  const { status } = await fetch(`${base}/v1/otp/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.test_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phone_number }),
  });
  assert.equal(status, 200);
}

/** A number in any writing leads to its message, and that to its timeline. */
async function search(page) {
  await page.getByLabel('Recipient or ID').fill('0803 000 0001');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/to=/);
  await page.getByRole('link', { name: '+2348030000001' }).first().click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.getByRole('heading', { name: 'Events and deliveries' }).waitFor();
}

/** A key is shown once, and is then known by its last characters only. */
async function makeKey(page) {
  await show(page, 'developers');
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Browser');
  await dialog.getByRole('button', { name: 'Create a key' }).click();
  await page
    .getByText(/svc_(live|test)_\w{20,}/)
    .first()
    .waitFor();
  await page.reload();
  await page.getByText('Browser', { exact: true }).first().waitFor();
  assert.equal(await page.getByText(/svc_(live|test)_\w{20,}/).count(), 0);
}

/** An endpoint, its secret, and a test event, which its page shows with the answer. */
async function addEndpoint(page) {
  const { status_url: closed } = demo;
  await show(page, 'webhooks');
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  const dialog = page.getByRole('dialog');
  const path = `/hooks/${Date.now()}`;
  await dialog.getByLabel('URL').fill(closed + path);
  await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
  await page
    .getByText(/whsec_\S+/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: closed + path }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('404', { exact: true }).first().waitFor();
}

async function invite(page) {
  await show(page, 'people');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  const email = `grace.${Date.now()}@example.com`;
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await page.getByText(email).first().waitFor();
}
