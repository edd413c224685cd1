import { expect, it } from '@jest/globals';
import type { CarrierReport } from '@watchword/carriers';
import { type DeliveryReport, newId } from '@watchword/contracts';
import { FakeClock } from '@watchword/testing';
import type { DeliveryReportHandler } from './delivery-report.handler.js';
import { ConnectionReports } from './connection-reports.js';

const report: CarrierReport = {
  messageId: newId(),
  attempt: 2,
  providerMessageId: 'SM1',
  destination: '+2348031234567',
  state: 'delivered',
  reason: null,
  rawCode: null,
  rawMessage: null,
  network: null,
};

function receipts(handle: (reports: readonly DeliveryReport[]) => Promise<void>) {
  const handler = { handle } as unknown as DeliveryReportHandler;
  return new ConnectionReports(handler, new FakeClock());
}

it('a report reaches the handler with the number of its attempt and its destination', async () => {
  const handled: DeliveryReport[] = [];
  await receipts(async (reports) => void handled.push(...reports)).take('twilio_eu', [report]);
  expect(handled).toMatchObject([
    { provider: 'twilio_eu', attempt: 2, destination: '+2348031234567', state: 'delivered' },
  ]);
});

it('a report that could not be recorded is not acknowledged', async () => {
  const failing = receipts(() => Promise.reject(new Error('the database is away')));
  await expect(failing.take('twilio_eu', [report])).rejects.toThrow('the database is away');
});

it('a report loses what the database refuses, before it is recorded', async () => {
  const handled: DeliveryReport[] = [];
  const hostile = { ...report, rawMessage: 'no\0pe\ud800', providerMessageId: 'SM\0'.repeat(400) };
  await receipts(async (reports) => void handled.push(...reports)).take('twilio_eu', [hostile]);
  expect(handled).toMatchObject([{ raw_message: 'nope' }]);
  expect(handled[0]!.provider_message_id).toHaveLength(500);
});
