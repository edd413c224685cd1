/**
 * What the pages show in `npm run test:browser`: codes, texts and emails of every end, long names and large numbers,
 * and something of each list.
 */
import { liftLimits, pagesOfOne } from './browser.mjs';

const SECONDS = 1_000;
/** Numbers of the test mode whose last two digits choose the end: docs/guides/try-failures.md. */
const ENDS = ['00', '03', '11', '16', '20', '29', '50', '58', '61'];
const PREFIXES = ['+234803123', '+25471234', '+23320123'];

/**
 * Fills the demo workspace, and makes its owner an operator, who sees all pages. Returns the paths of
 * pages that are of one thing, by title.
 */
export async function fill(demo) {
  const api = callsOf(demo);
  await api.operator('PATCH', `/workspaces/${demo.workspace_id}`, {
    settings: { limits: { variant_b_burst: 500, variant_b_per_second: 100 } },
  });
  await liftLimits(demo);
  const { data } = await api.operator('GET', `/users?email=${encodeURIComponent(demo.email)}`);
  await api.operator('PUT', `/users/${data[0].user_id}/operator`);
  await configure(api, demo);
  await sendLive(api, demo);
  await sendTest(api);
  await settle(api);
  return pagesOfOne((path) => api.live('GET', path), demo.workspace_id);
}

function callsOf({ base_url: base, live_key, test_key, operator_token }) {
  const call = async (method, path, token, body) => {
    const answer = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    // A second run over the same data meets names that are taken.
    if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  };
  return {
    live: (method, path, body) => call(method, `/v1${path}`, live_key, body),
    test: (method, path, body) => call(method, `/v1${path}`, test_key, body),
    operator: (method, path, body) => call(method, `/operator/v1${path}`, operator_token, body),
  };
}

async function configure(api, { workspace_id: id, status_url: closed }) {
  await api.operator('POST', `/workspaces/${id}/top-ups`, {
    credits: 12_345_678,
    kind: 'purchase',
    note: 'Invoice 2026-000417 of November, paid by bank transfer, reference ACME/LAGOS/0000417',
  });
  await api.operator('POST', '/workspaces', {
    name: 'Coopérative agricole des producteurs de cacao de la région du Haut-Sassandra',
    credits: 1_000,
    billing_country: 'CI',
  });
  const suspended = await api.operator('POST', '/workspaces', { name: 'Quick Loans', credits: 5 });
  await api.operator('PATCH', `/workspaces/${suspended.workspace_id}`, {
    suspended: true,
    reason: 'Fraud report 7',
  });
  for (const [sender_id, registered_entity] of [
    ['Acme', 'Acme Ltd'],
    ['AcmeShopNG', 'Acme Online Shopping and Logistics (Nigeria) Limited'],
  ]) {
    await api.live('POST', '/sender-ids', {
      sender_id,
      registered_entity,
      countries: ['NG', 'KE', 'GH'],
      use_case: 'Order updates to customers who bought in our shop.',
      sample_message: `${sender_id}: your order 1042 is on its way.`,
    });
  }
  await api.live('POST', '/sms-templates', {
    name: 'Order shipped',
    body: 'Hi {{name}}, order {{order}} is on its way. Track it at https://acme.example/t/{{order}} or answer STOP.',
  });
  await api.live('POST', '/domains', { name: 'notifications.mail.acme-shopping.example.com' });
  await api.live('POST', '/suppressions', { address: 'ada.lovelace+orders@example.com' });
  const url = `${closed}/hooks/orders/of/a/rather/long/path/v2?tenant=acme`;
  for (const mode of [api.live, api.test]) {
    await mode('POST', '/webhooks', { url, events: ['otp.delivered', 'sms.delivered'] });
  }
}

/** Through the simulated carriers, charged: some end as the scenarios say. */
async function sendLive(api, { simulator_url: simulator }) {
  const scenario = (to, rules) =>
    fetch(`${simulator}/_simulator/scenarios`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to, ...rules }),
    });
  await scenario('+2348031234503', { submit: { kind: 'refuse' } });
  await scenario('+2348031234506', { submit: { kind: 'http_status', status: 503 }, times: 1 });
  for (let index = 0; index < 12; index += 1) {
    const number = `${PREFIXES[index % 3]}${4500 + index}`;
    await api.live('POST', '/otp/send', { phone_number: number });
    const message = `Your order ${1042 + index} has left the warehouse and arrives ${'soon '.repeat(index)}today.`;
    await api.live('POST', '/sms/send', { phone_number: number, message });
  }
}

async function sendTest(api) {
  for (const end of ENDS) {
    await api.test('POST', '/otp/send', { phone_number: `+23480300000${end}` });
    await api.test('POST', '/sms/send', {
      phone_number: `+2547120000${end}`,
      message: `Votre commande est prête : présentez le code à l’accueil (${end}).`,
    });
  }
  for (const to of ['delivered@sim.test', 'bounced@sim.test']) {
    await api.test('POST', '/emails', {
      from: 'Acme <orders@mail.acme.example>',
      to,
      subject: 'Your order 1042 has shipped and will arrive before the end of the week',
      text: 'It is on its way.',
    });
  }
}

/** Waits until the carriers have answered for nearly everything: some receipts never come. */
async function settle(api) {
  const endsAt = Date.now() + 60 * SECONDS;
  const isOpen = ({ status }) => ['queued', 'accepted', 'sending'].includes(status);
  while (Date.now() < endsAt) {
    const { data } = await api.live('GET', '/otp?limit=20');
    if (!data.some(isOpen)) return;
    await new Promise((resolve) => setTimeout(resolve, SECONDS / 4));
  }
}
