/** The page of operators at `/console` (decisions 22), in a real browser where Chromium is installed. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser as Chromium, chromium, type Page } from 'playwright-core';
import { Browser, PASSWORD } from '../support/browser.js';
import { freshNumber } from '../support/numbers.js';
import { useSystem } from '../support/suite.js';
import { startOwnSystem, startSystem } from '../support/system.js';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isInstalled = existsSync(executablePath);
const why = isInstalled ? '' : ' (skipped: no Chromium at CHROMIUM or /usr/bin/chromium)';
const REASON = 'Ticket 7';

// A system of its own, because it drains a carrier.
const suite = useSystem(() => (isInstalled ? startOwnSystem() : startSystem()));

let browser: Chromium;
let page: Page;
let userId: string;
const staff = { email: '', workspace: 'Operations' };

beforeAll(async () => {
  if (!isInstalled) return;
  const user = new Browser(suite.system);
  const { status, json } = await user.signUp({ workspace_name: staff.workspace });
  expect(status).toBe(200);
  staff.email = user.email;
  userId = json.user.user_id as string;
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  page = await browser.newPage();
  page.on('dialog', (dialog) => dialog.accept(dialog.type() === 'prompt' ? REASON : undefined));
});
afterAll(() => browser?.close());

const note = () => page.locator('[role=status]');

async function signIn(password: string): Promise<void> {
  await page.goto(`${suite.system.http.baseUrl}/console`);
  await page.getByLabel('Email').fill(staff.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function follow(name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

(isInstalled ? describe : describe.skip)(`decisions 22: the console${why}`, () => {
  it('lets in operators only', async () => {
    await signIn('a wrong password');
    await note().getByText('The email address or the password is wrong.').waitFor();
    await signIn(PASSWORD);
    await page.getByText('is no operator').waitFor();
    const made = await suite.operator.request('PUT', `/users/${userId}/operator`);
    expect(made.status).toBe(200);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Carriers' }).waitFor();
  });

  it('drains a carrier and takes it back', async () => {
    const row = page.getByRole('row', { name: 'twilio' });
    await row.getByRole('button', { name: 'Drain' }).click();
    await note().getByText('twilio is drained.').waitFor();
    await row.getByRole('button', { name: 'Activate' }).click();
    await note().getByText('twilio is active.').waitFor();
  });

  it('finds a message, and shows its number for a reason', async () => {
    const customer = await suite.customer();
    const number = freshNumber();
    const { json } = await customer.sendOtp({ phone_number: number });
    await customer.otpWith('delivered', json.id);
    await follow('Messages');
    await page.getByLabel('Message ID').fill(json.id);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('tr[tabindex]').getByText(json.id).click();
    await page.getByRole('heading', { name: `Message ${json.id}` }).waitFor();
    expect(await page.locator('main').innerText()).not.toContain(number);
    await page.getByRole('button', { name: 'Show what is hidden' }).click();
    await page.getByText(number).waitFor();
  });

  it('enters credits and suspends a workspace', async () => {
    await follow('Workspaces');
    await page.locator('tr[tabindex]').getByText(staff.workspace).first().click();
    await page.getByLabel('Credits').fill('25');
    await page.getByRole('button', { name: 'Enter' }).click();
    await note().getByText('25 credits are entered').waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await note().getByText(`${staff.workspace} is suspended.`).waitFor();
    await page.getByRole('button', { name: 'Lift the suspension' }).click();
    await note().getByText(`${staff.workspace} is open again.`).waitFor();
  });

  it('shows who did all that, and for which reason', async () => {
    await follow('Audit');
    const text = await page.locator('main').innerText();
    expect(text).toContain(staff.email);
    expect(text).toContain(REASON);
    for (const name of ['Sender IDs', 'Dead letters']) await follow(name);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
  });
});
