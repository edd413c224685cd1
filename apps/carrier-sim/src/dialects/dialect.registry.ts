import { africasTalking } from './africas-talking/africas-talking.adapter.js';
import type { AfricasTalkingAccount } from './africas-talking/africas-talking.adapter.js';
import type { Dialect } from './dialect.port.js';
import { twilio } from './twilio/twilio.adapter.js';
import type { TwilioAccount } from './twilio/twilio.adapter.js';

export interface Accounts {
  readonly twilio: TwilioAccount;
  readonly africasTalking: AfricasTalkingAccount;
}

export function dialectsOf(accounts: Accounts): Dialect[] {
  return [twilio(accounts.twilio), africasTalking(accounts.africasTalking)];
}
