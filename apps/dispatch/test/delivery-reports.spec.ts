import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { DeliveryReport } from '@watchword/contracts';
import { renderMetrics } from '@watchword/observability';
import { eventually } from '@watchword/testing';
import { deliveryReport, smsCommand } from './commands.kit.js';
import { accepted } from './dispatch.kit.js';
import { kit, resetCarriers, typesOf, useKit } from './one-dispatch.kit.js';

useKit();
resetCarriers();

describe('a delivery report', () => {
  it('that overtakes the answer with an unknown id is parked and matched', async () => {
    let answer: (() => void) | undefined;
    kit.africasTalking.answer = ({ messageId }) =>
      new Promise((resolve) => {
        answer = () => resolve(accepted(`slow-${messageId}`));
      });
    const command = smsCommand();
    const id = command.message_id;
    await kit.send(command);
    await kit.report(deliveryReport({ provider_message_id: `slow-${id}` }));
    expect((await kit.stored(id))['state']).toBe('accepted');
    answer?.();
    await kit.until(id, 'delivered');
    await eventually(async () => {
      const { rows } = await kit.database.pool.query('SELECT report_id FROM parked_reports');
      expect(rows).toEqual([]);
    });
  });

  it('that matches no message for two minutes is counted once', async () => {
    const series = 'watchword_reports_unmatched_total{provider="other"} ';
    const counted = async () => {
      const line = (await renderMetrics()).split('\n').find((one) => one.startsWith(series));
      return Number(line?.slice(series.length) ?? 0);
    };
    const before = await counted();
    const report = deliveryReport({ provider_message_id: '0001234501' });
    await kit.report(report);
    const { pool } = kit.database;
    for (const checks of [7, 8, 9]) {
      await pool.query(
        `UPDATE parked_reports SET checks = $1, check_at = now() - interval '1 day',
           parked_at = now() - interval '1 hour'
         WHERE report_id = $2`,
        [checks, report.report_id],
      );
      await eventually(async () => {
        const { rows } = await pool.query('SELECT checks FROM parked_reports');
        expect(rows).toEqual([{ checks: checks + 1 }]);
      });
    }
    await eventually(async () => expect(await counted()).toBe(before + 1));
    const { carriers } = await kit.calls.listCarriers({});
    const shown = carriers.map((one) => [one.id, one.reports_unmatched]);
    expect(shown).toContainEqual([report.provider, 1]);
    await pool.query('DELETE FROM parked_reports');
  });

  it('that overtakes an answer with an id of long ago waits for that answer', async () => {
    let answer: (() => void) | undefined;
    const [before, now] = [smsCommand(), smsCommand({ destination: '+2348030009999' })];
    kit.africasTalking.answer = ({ messageId }) => {
      if (messageId === before.message_id) return Promise.resolve(accepted('again'));
      return new Promise((resolve) => {
        answer = () => resolve(accepted('again'));
      });
    };
    const reportOn = ({ destination }: typeof now) =>
      kit.report(deliveryReport({ provider_message_id: 'again', destination }));
    await kit.send(before);
    await kit.until(before.message_id, 'sent');
    await reportOn(before);
    await kit.until(before.message_id, 'delivered');
    await kit.send(now);
    await reportOn(now);
    answer?.();
    await kit.until(now.message_id, 'delivered');
  });

  it('that overtakes the answer by a moment is one write with it', async () => {
    const command = smsCommand();
    const id = command.message_id;
    let reported: Promise<void> | undefined;
    kit.africasTalking.answer = async ({ messageId, destination }) => {
      const provider_message_id = `quick-${messageId}`;
      reported = kit.report(deliveryReport({ provider_message_id, destination }));
      await setImmediate();
      return accepted(provider_message_id);
    };
    await kit.send(command);
    await kit.until(id, 'delivered');
    await reported;
    expect((await kit.stored(id))['version']).toBe(2);
    expect(await typesOf(id)).toEqual(['message.sent', 'message.delivered']);
  });

  it('that overtakes the answer shows that the carrier took the message', async () => {
    let answer: (() => void) | undefined;
    kit.africasTalking.answer = ({ messageId }) =>
      new Promise((resolve) => {
        answer = () => resolve(accepted(`slow-${messageId}`));
      });
    const command = smsCommand();
    const { workspace_id, test_mode, message_id } = command;
    await kit.send(command);
    await kit.report(deliveryReport({ message_id, provider_message_id: `slow-${message_id}` }));
    await kit.until(message_id, 'delivered');
    const ask = { workspace_id, test_mode, message_id, kind: 'sms' } as const;
    const { message } = await kit.calls.getMessage(ask);
    expect(message?.provider_attempts).toMatchObject([{ ok: true }]);
    answer?.();
  });

  it('that says the opposite of the first changes nothing', async () => {
    const command = smsCommand();
    const id = command.message_id;
    await kit.send(command);
    await kit.until(id, 'sent');
    const provider_message_id = `africas_talking-${id}`;
    await kit.report(
      deliveryReport({ provider_message_id }),
      deliveryReport({ provider_message_id }),
      deliveryReport({ provider_message_id, state: 'failed', reason: 'network_error' }),
    );
    expect((await kit.stored(id))['state']).toBe('delivered');
    expect(await typesOf(id)).toEqual(['message.sent', 'message.delivered']);
  });

  it('gives the same end in hundreds of orders', async () => {
    const ids: string[] = [];
    const reports: DeliveryReport[] = [];
    for (let index = 0; index < 300; index += 1) {
      const command = smsCommand();
      ids.push(command.message_id);
      await kit.send(command);
      const provider_message_id = `africas_talking-${command.message_id}`;
      reports.push(
        deliveryReport({ provider_message_id, message_id: command.message_id, state: 'enroute' }),
        deliveryReport({ provider_message_id }),
        deliveryReport({ message_id: command.message_id }),
      );
    }
    reports.sort(() => Math.random() - 0.5);
    const chunks = Array.from({ length: 9 }, (_, index) =>
      reports.slice(index * 100, index * 100 + 100),
    );
    await Promise.all(chunks.map((chunk) => kit.report(...chunk)));
    for (const id of ids) await kit.until(id, 'delivered');
    for (const id of ids.slice(0, 40)) {
      expect(await typesOf(id)).toEqual(['message.sent', 'message.delivered']);
    }
  });
});
