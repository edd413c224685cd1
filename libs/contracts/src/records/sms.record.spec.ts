import { describe, expect, it } from '@jest/globals';
import type { MessageRecord } from '../rpc/dispatch-calls.js';
import { smsDetails, smsMessage } from './sms.record.js';

const cost = { amount_kobo: 500, currency: 'NGN' };
const accepted = { state: 'delivered', credits: 5, cost, provider_attempts: [], timeline: [] };
const newPrice = { amount: 250, currency: 'USD' };

describe.each(['a', 'b'] as const)('the record of an SMS of variant %s', (family) => {
  const record = { ...accepted, family } as unknown as MessageRecord;

  it('decisions 18: the record of an SMS keeps the cost of its acceptance when the credit price changes', () => {
    expect(smsDetails(record, newPrice).cost).toEqual(cost);
    expect(smsMessage(record, newPrice).cost).toEqual(cost);
  });

  it('of an older release, without a stored cost, has the price of today', () => {
    const older = { ...record, cost: null };
    expect(smsDetails(older, newPrice).cost).toEqual({ amount_kobo: 1_250, currency: 'USD' });
  });
});
