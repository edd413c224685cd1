/** What API tests of single carriers share. */
import { freshNumber, type NumberingPlan } from './numbers.js';
import type { Customer, Scenario } from './suite.js';
import { waitUntil } from './wait-until.js';

interface Attempt {
  provider: string;
  ok: boolean;
}

/** Returns the attempts of a record, such as `['twilio failed', 'infobip ok']`. */
export function attemptsOf(record: { provider_attempts: Attempt[] }): string[] {
  return record.provider_attempts.map(({ provider, ok }) => `${provider} ${ok ? 'ok' : 'failed'}`);
}

/** Sends an SMS that meets these scenarios. Returns its number and its id. */
export async function sendTo(
  customer: Customer,
  plan: NumberingPlan,
  scenarios: readonly Scenario[] = [],
  message = 'Your order has shipped.',
): Promise<{ to: string; id: string }> {
  const to = freshNumber(plan);
  for (const scenario of scenarios) await customer.suite.scenario({ ...scenario, to });
  const { status, json, text } = await customer.sendSms({ phone_number: to, message });
  if (status !== 200) throw new Error(`not accepted: ${status} ${text}`);
  return { to, id: json.id };
}

/** The carrier whose message reached the number. */
export async function carrierAt(customer: Customer, to: string): Promise<string> {
  return (await customer.suite.handsetWith(1, to))[0]!.provider;
}

/** Prefers the carrier in these countries. */
export async function prefer(
  customer: Customer,
  carrier: string,
  plans: readonly NumberingPlan[],
): Promise<void> {
  const change = { preferred_in: plans };
  const path = `/carriers/${carrier}`;
  const { status, text } = await customer.suite.operator.request('PATCH', path, change);
  if (status !== 200) throw new Error(`not preferred: ${status} ${text}`);
}

/** Waits until every replica knows the choice: within five seconds. Any may send a message. */
export async function untilPreferred(
  customer: Customer,
  carrier: string,
  plan: NumberingPlan,
): Promise<void> {
  const carrierOfOne = async () => carrierAt(customer, (await sendTo(customer, plan)).to);
  await waitUntil(`six messages in a row by ${carrier}`, async () => {
    const carriers = await Promise.all([1, 2, 3, 4, 5, 6].map(carrierOfOne));
    return carriers.every((one) => one === carrier);
  });
}
