import { expect, it } from '@jest/globals';
import type { MessageRecord } from '../rpc/dispatch-calls.js';
import { smsDetails, smsMessage } from './sms.record.js';

const cost = { amount_kobo: 500, currency: 'NGN' };
const accepted = { state: 'delivered', credits: 5, cost, provider_attempts: [], timeline: [] };

it.each(['a', 'b'] as const)(
  'decisions 18: the record of an SMS of variant %s has the cost of its acceptance',
  (family) => {
    const record = { ...accepted, family } as unknown as MessageRecord;
    expect(smsDetails(record).cost).toEqual(cost);
    expect(smsMessage(record).cost).toEqual(cost);
  },
);
