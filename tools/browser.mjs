/**
 * The pages of `/app` in Chromium, for `npm run test:browser` and `npm run contact-sheet`: the list of pages, how each
 * is opened, and in which views. They wait for conditions only.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** The exit code by which `test-nightly.mjs` knows that a part was skipped. */
const SKIPPED = 77;
/** Milliseconds until a wait fails. */
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
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** Pages before the log-in. */
export const ENTRIES = ['login', 'signup', 'forgot'];
export const PAGES = [
  ...['overview', 'messages', 'playground', 'money', 'webhooks', 'senders', 'developers'],
  ...['people', 'settings', 'device', 'operator/messages', 'operator/workspaces'],
  ...['operator/carriers', 'operator/sender-ids', 'operator/dead-letters', 'operator/payments'],
  ...['operator/prices', 'operator/users', 'operator/platform', 'operator/audit'],
];

/** Builds the pages and starts Chromium. Without one, the program says so and ends. */
export async function startBrowser() {
  const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    (path) => path && existsSync(path),
  );
  if (executablePath === undefined) {
    console.log('SKIPPED: there is no Chromium (Debian: chromium). CHROMIUM names another one.');
    process.exit(SKIPPED);
  }
  execFileSync(process.execPath, ['tools/build-sites.mjs', 'apps/web'], { stdio: 'inherit' });
  return chromium.launch({ executablePath, args: FLAGS, headless: true });
}

/** The running system's addresses, keys and demo account. */
export function readDemo(directory) {
  return JSON.parse(readFileSync(join(directory, 'dev-credentials.json'), 'utf8'));
}

/** A hundred pages in a minute from one address are more than people open. */
export async function liftLimits({ base_url: base, operator_token: token }) {
  const limits = { ip_authenticated_per_minute: null, ip_unauthenticated_per_minute: null };
  await fetch(`${base}/operator/v1/settings`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ limits }),
  });
}

export async function openPage(browser, view) {
  const context = await browser.newContext({ ...view, reducedMotion: 'reduce' });
  context.setDefaultTimeout(WITHIN_MS);
  return { context, page: await context.newPage() };
}

export async function logIn(page, { base_url: base, email, password }) {
  await page.goto(`${base}/app#/login`);
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('form button[type=submit]').click();
  await page.locator('nav a[href$="#/overview"]').first().waitFor({ state: 'attached' });
}

/** Opens a page and waits until it shows its title and nothing is loading. */
export async function show(page, { base_url: base }, path) {
  await page.goto('about:blank');
  await page.goto(`${base}/app#/${path}`);
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('main [role=status]') === null);
  await page.locator('main:not([aria-busy=true])').waitFor();
}

/** Returns the paths of pages that are of one thing, by title. `read` reads from the live mode's `/v1`. */
export async function pagesOfOne(read, workspace) {
  const { data: codes } = await read('/otp?limit=200');
  const { data: hooks } = await read('/webhooks');
  const delivered = codes.find(({ delivered_at: at }) => at !== null);
  const failed = codes.find(({ status }) => status === 'failed');
  return {
    'a code': `messages/${delivered.id}`,
    'a failed code': `messages/${failed.id}`,
    'a statement': `money/statements/${new Date().toISOString().slice(0, 7)}`,
    ...(hooks.length > 0 && { 'an endpoint': `webhooks/${hooks[0].id}` }),
    'a workspace': `operator/workspaces/${workspace}`,
    'a message, for support': `operator/messages/${failed.id}`,
  };
}
