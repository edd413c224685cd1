import { expect, it } from '@jest/globals';
import { accountFrom } from './registry.js';
import { failureReason, refusalReasonOfName } from './africas-talking/status-map.js';
import { twilioReason } from './twilio/status-map.js';
import { vonage } from './vonage/vonage.carrier.js';

it.each(['NotNetworkSubscriber', 'NotNetworkSubcriber'])(
  'a failed report of Africa’s Talking with %s has no route (africastalking 2.0.3)',
  (failure) => {
    expect(failureReason('Failed', failure)).toBe('no_route');
  },
);

it.each(['UserInBlacklist', 'UserInBlackList'])(
  'Africa’s Talking’s %s is an opt-out in answers and reports (africastalking 2.0.3)',
  (name) => {
    expect(failureReason('Failed', name)).toBe('opted_out');
    expect(refusalReasonOfName(name)).toBe('opted_out');
  },
);

it.each([
  ['30024', 'sender_id_rejected'],
  ['30018', 'sender_id_rejected'],
  ['21607', 'sender_id_rejected'],
  ['30040', 'sender_id_rejected'],
  ['30042', 'sender_id_rejected'],
  ['21657', 'sender_id_rejected'],
  ['21635', 'unsupported_number'],
  ['30017', 'network_error'],
])('the error %s of Twilio is %s (twilio 6.3.1)', (code, reason) => {
  expect(twilioReason(code)).toBe(reason);
});

const create = (callbackBaseUrl: string) => {
  const { settings } = accountFrom('vonage', { apiKey: 'k', apiSecret: 's' });
  return vonage.create(
    { id: 'vonage', carrier: 'vonage', settings: settings as never },
    { callbackBaseUrl, callbackSecret: 'callback-secret' },
  );
};

it('an account of Vonage whose callback address has over 100 characters does not start', async () => {
  await expect(create('https://svc.example.com')).resolves.toBeDefined();
  await expect(create(`https://${'a'.repeat(40)}.example.com`)).rejects.toThrow(
    /account vonage has \d+ characters, and Vonage takes at most 100: CALLBACK_BASE_URL/,
  );
});
