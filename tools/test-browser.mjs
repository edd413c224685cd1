/**
 * `npm run test:browser`: every page of `/app` in a real Chromium, against a running system whose credentials
 * it reads: in both languages, light and dark, at a desktop's and a phone's width, with axe; then the main actions. It
 * waits for conditions only. `--shots FOLDER` stores a picture of each page.
 */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DESKTOP,
  ENTRIES,
  logIn,
  openPage,
  PAGES,
  PHONE,
  readDemo,
  show,
  startBrowser,
} from './browser.mjs';
import { fill } from './browser-data.mjs';
import { cache, once } from './tool-cache.mjs';

const AXE = 'axe-core@4.14.1';
const VIEWS = [
  { locale: 'en', colorScheme: 'light', viewport: DESKTOP },
  { locale: 'fr', colorScheme: 'dark', viewport: PHONE },
  { locale: 'en', colorScheme: 'dark', viewport: DESKTOP },
  { locale: 'fr', colorScheme: 'light', viewport: PHONE },
];

const shots = folderOfShots();
const browser = await startBrowser();
const axe = join(once(join(cache, AXE), install), 'node_modules/axe-core/axe.min.js');
const demo = readDemo(process.env.DATA_DIR ?? '.data');
const base = demo.base_url;
const faults = [];
/** The page in work, and its requests without an answer. */
let current;
const waiting = new Set();
try {
  const pages = Object.fromEntries(PAGES.map((path) => [path, path]));
  await test({ ...pages, ...(await fill(demo)) });
} catch (error) {
  await describeStuckPage().catch(() => undefined);
  throw error;
} finally {
  await browser.close();
}

function folderOfShots() {
  const index = process.argv.indexOf('--shots');
  if (index === -1) return undefined;
  mkdirSync(process.argv[index + 1], { recursive: true });
  return process.argv[index + 1];
}

async function test(pages) {
  for (const view of VIEWS) await walk(view, pages);
  await act();
  assert.deepEqual(faults, []);
  const count = ENTRIES.length + Object.keys(pages).length;
  console.log(`${count} pages in ${VIEWS.length} views and the main actions: no fault`);
}

function install(into) {
  const flags = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix'];
  execFileSync('npm', ['install', AXE, ...flags, into], { stdio: 'inherit' });
}

async function open(view) {
  const { context, page } = await openPage(browser, view);
  current = page;
  page.on('request', (request) => waiting.add(request));
  for (const end of ['requestfinished', 'requestfailed']) {
    page.on(end, (request) => waiting.delete(request));
  }
  const where = `${view.locale} ${view.colorScheme} ${view.viewport.width}`;
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

async function walk(view, pages) {
  const { context, page, where } = await open(view);
  const visit = async (title, path) => {
    await show(page, demo, path);
    await check(page, `${where} ${title}`);
    if (shots) await page.screenshot({ path: shotOf(title, view), fullPage: true });
  };
  for (const path of ENTRIES) await visit(path, path);
  await logIn(page, demo);
  for (const [title, path] of Object.entries(pages)) await visit(title, path);
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
  const { context, page } = await open(VIEWS[0]);
  await logIn(page, demo);
  // A code in test mode, from the form to its page.
  await show(page, demo, 'playground');
  await page.getByText('Test', { exact: true }).first().click();
  await page.getByLabel('Phone number').fill('+2348030000001');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('link', { name: 'Open the message' }).click();
  await page.waitForURL(/#\/messages\//);
  await page.locator('main h1').first().waitFor();
  await follow(page);
  await scrollFar(page);
  await search(page);
  await support(page);
  await chooseFigures(page);
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
  await show(other, demo, 'overview');
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
  await show(page, demo, 'messages');
  await page.getByText('Reconnecting…').waitFor();
  await page.unroute(stream);
  await page.getByRole('note').filter({ hasText: 'Live' }).waitFor();
  const number = `+23480302${String(Date.now() % 1_000).padStart(3, '0')}00`;
  await sendCode(number);
  const row = page.getByRole('row').filter({ hasText: number });
  await row.getByText('Delivered').waitFor();
}

/** A list that is scrolled far holds only the pages around what is seen, and leads back to the newest. */
async function scrollFar(page) {
  const held = 6 * 50;
  await sendBatch(held + 100);
  await show(page, demo, 'messages');
  const rows = page.locator('main [data-page]');
  const newest = page.getByRole('button', { name: 'Back to the newest' });
  while ((await newest.count()) === 0) {
    const last = await rows.last().getAttribute('data-page');
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.waitForFunction(
      (before) => [...document.querySelectorAll('[data-page]')].at(-1)?.dataset.page !== before,
      last,
    );
  }
  assert.ok((await page.locator('main tbody tr').count()) <= held);
  await newest.click();
  await newest.waitFor({ state: 'detached' });
  await page.locator('main [data-page=""]').waitFor();
}

async function sendBatch(length) {
  const messages = Array.from({ length }, (_, index) => ({
    to: `+23480301${10_000 + index * 100}`,
    body: 'Your order is ready.',
  }));
  const { status } = await fetch(`${base}/v1/sms/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.test_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: 'Acme', messages }),
  });
  assert.ok(status < 300);
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

/** An operator finds a customer's message by the number that the customer says, and reads why it failed. */
async function support(page) {
  await sendCode('+2348030000011');
  await show(page, demo, 'operator/messages');
  await page.getByLabel('Recipient or ID').fill('0803 000 0011');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: '+234•••••011' }).first().click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.getByText('The phone was switched off or out of coverage.').first().waitFor();
}

/** Every period and measure of the overview can be read by everybody. */
async function chooseFigures(page) {
  await show(page, demo, 'overview');
  const measure = page.getByLabel('What the charts show');
  const measures = await measure.locator('option').allTextContents();
  for (const period of ['24 hours', '30 days']) {
    await page.getByText(period, { exact: true }).click();
    for (const label of measures) {
      await measure.selectOption({ label });
      await page.locator('main[aria-busy=false]').waitFor();
      await check(page, `overview, ${period}, ${label}`);
    }
  }
}

/** A key is shown once, and is then known by its last characters only. */
async function makeKey(page) {
  await show(page, demo, 'developers');
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
  await show(page, demo, 'webhooks');
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
  await show(page, demo, 'people');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  const email = `grace.${Date.now()}@example.com`;
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await page.getByText(email).first().waitFor();
}
