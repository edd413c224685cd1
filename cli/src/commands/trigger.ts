/** `watchword trigger`: makes an event happen with a test key, or has a sample posted to an endpoint. */
import {
  type Outcome,
  testCode,
  testNumber,
  type Watchword,
} from '../../../sdks/typescript/src/index.js';
import { nearest } from '../arguments.js';
import { type Command, text, UsageError } from '../command.js';

type Cause = (client: Watchword) => Promise<{ id: string }>;

const sendOtp =
  (outcome: Outcome): Cause =>
  (client) =>
    client.otp.send({ phone_number: testNumber(outcome) });

const sendSms =
  (outcome: Outcome): Cause =>
  (client) =>
    client.sms.send({ phone_number: testNumber(outcome), message: 'A test of watchword trigger.' });

const sendMessage =
  (outcome: Outcome): Cause =>
  (client) =>
    client.messages.send({
      to: testNumber(outcome),
      from: 'Watchword',
      body: 'A test of trigger.',
    });

async function verifyOtp(client: Watchword): Promise<{ id: string }> {
  const { id, code_length } = await client.otp.send({ phone_number: testNumber('delivered') });
  await client.otp.verify({ otp_id: id, code: testCode(code_length) });
  return { id };
}

const CAUSES: Record<string, Cause> = {
  'otp.sent': sendOtp('delivered'),
  'otp.delivered': sendOtp('delivered'),
  'otp.failed': sendOtp('no_route'),
  'otp.verified': verifyOtp,
  'otp.expired': sendOtp('expired'),
  'sms.queued': sendMessage('delivered'),
  'sms.sent': sendSms('delivered'),
  'sms.delivered': sendSms('delivered'),
  'sms.failed': sendSms('no_route'),
  'sms.blocked': sendSms('content_blocked'),
  'sms.rejected': sendMessage('content_blocked'),
};

export const TRIGGER: Command = {
  name: 'trigger',
  about: 'Make an event happen with a test key, for example sms.failed.',
  parameters: ['EVENT'],
  options: {
    webhook: { value: 'ID', about: 'post a sample of any event to this endpoint instead' },
  },
  example: 'watchword trigger sms.delivered',
  async run(context) {
    const event = context.positionals[0]!;
    const client = context.client();
    const webhook = text(context, 'webhook');
    if (webhook !== undefined) {
      const delivery = await client.webhooks.test(webhook, { type: event as 'sms.delivered' });
      const last = delivery.attempts.at(-1);
      context.print(delivery, () => [
        `${delivery.id}  ${delivery.status}  ${last?.status_code ?? last?.error ?? ''}`,
      ]);
      return;
    }
    const cause = CAUSES[event];
    if (!cause) throw new UsageError(unknownEvent(event));
    if (!client.isTestMode) {
      throw new UsageError(
        'The key is a live one, which sends and charges. Use a key that begins with svc_test_.',
      );
    }
    const { id } = await cause(client);
    context.print({ event, id }, () => [`${event} is on its way, with ${id}.`]);
    context.hint('See it: watchword events list, or watchword listen in another terminal.');
  },
};

function unknownEvent(event: string): string {
  const near = nearest(event, Object.keys(CAUSES));
  return near
    ? `There is no event "${event}" to trigger. Did you mean ${near}?`
    : `A test key makes ${Object.keys(CAUSES).join(', ')}. A sample of another event: watchword trigger ${event} --webhook ID.`;
}
