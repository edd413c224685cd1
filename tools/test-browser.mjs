/**
 * `npm run test:browser`: every page of `/app` in a real Chromium, against a running system whose credentials
 * it reads: in both languages, light and dark, at a desktop's and a phone's width, with axe; then the main actions. It
 * waits for conditions only. `--shots FOLDER` keeps a picture of each page.
 */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
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
const PAGES = [
  ...['overview', 'messages', 'playground', 'money', 'webhooks', 'senders', 'developers'],
  ...['people', 'settings', 'operator/messages', 'operator/workspaces', 'operator/carriers'],
  ...['operator/sender-ids', 'operator/dead-letters', 'operator/payments', 'operator/prices'],
  'operator/audit',
];
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
const shots = process.argv[process.argv.indexOf('--shots') + 1];
const keepsShots = process.argv.includes('--shots');
if (keepsShots) mkdirSync(shots, { recursive: true });

const browser = await chromium.launch({ executablePath, args: FLAGS, headless: true });
const faults = [];
try {
  await fill();
  for (const look of LOOKS) await walk(look);
  await act();
} finally {
  await browser.close();
}
assert.deepEqual(faults, []);
console.log(`${PAGES.length} pages in ${LOOKS.length} looks and the main actions: no fault`);

function install(into) {
  const flags = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix'];
  execFileSync('npm', ['install', AXE, ...flags, into], { stdio: 'inherit' });
}

/** Sends what the pages show, and makes the owner of the demo workspace an operator, who sees all of them. */
async function fill() {
  const operator = { authorization: `Bearer ${demo.operator_token}` };
  const users = `${base}/operator/v1/users`;
  const found = await fetch(`${users}?email=${encodeURIComponent(demo.email)}`, {
    headers: operator,
  });
  const { data } = await found.json();
  const [{ user_id: id }] = data;
  await fetch(`${users}/${id}/operator`, { method: 'PUT', headers: operator });
  const send = (path, body, key = demo.live_key) =>
    fetch(base + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (let index = 0; index < 6; index += 1) {
    await send('/v1/otp/send', { phone_number: `+23480312345${10 + index}` });
    const message = `Your order ${1042 + index} has shipped.`;
    await send('/v1/sms/send', { phone_number: `+25471234567${index}`, message });
  }
  await send('/v1/otp/send', { phone_number: '+2348030000002' }, demo.test_key);
}

async function open(look) {
  const context = await browser.newContext(look);
  context.setDefaultTimeout(WITHIN_MS);
  const page = await context.newPage();
  const where = `${look.locale} ${look.colorScheme} ${look.viewport.width}`;
  page.on('console', (message) => {
    // The browser itself reports each 401 of a visitor who has not logged in yet.
    const isExpected = /status of 401|ERR_INTERNET_DISCONNECTED/.test(message.text());
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
  await page.waitForLoadState('networkidle');
}

async function walk(look) {
  const { context, page, where } = await open(look);
  await logIn(page);
  for (const path of PAGES) {
    await show(page, path);
    const failed = page.getByText(/This could not be loaded|Le chargement a échoué/);
    if ((await failed.count()) > 0) faults.push(`${where} ${path}: could not be loaded`);
    const over = await page.evaluate(() => {
      const { scrollWidth: wide, clientWidth: seen } = document.documentElement;
      return wide - seen;
    });
    if (over > 0) faults.push(`${where} ${path}: ${over} pixels wider than the screen`);
    faults.push(...(await violations(page)).map((one) => `${where} ${path}: ${one}`));
    if (keepsShots) {
      const name = `${path.replace('/', '-')}-${where.replaceAll(' ', '-')}.png`;
      await page.screenshot({ path: join(shots, name), fullPage: true });
    }
  }
  await context.close();
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
  await page.waitForURL(/#\/messages\/otp\//);
  await page.locator('main h1').first().waitFor();
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
