import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - `trial`: the endpoint belongs to a trial workspace, whose deliveries have bounds of their own.
 * - `untested`: its host has not answered a test event with 2xx yet. Deliveries to it wait: they are due at infinity.
 * - `replicas` are the processes that deliver, so that each takes its share of a bound. An idle one writes nothing.
 */
const TRIAL_ENDPOINTS = `
  ALTER TABLE webhooks.endpoints
    ADD COLUMN trial boolean NOT NULL DEFAULT false,
    ADD COLUMN untested boolean NOT NULL DEFAULT false;

  CREATE TABLE webhooks.replicas (
    id uuid PRIMARY KEY,
    seen_at timestamptz NOT NULL
  );
`;

export class TrialEndpoints1797000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TRIAL_ENDPOINTS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations go forward only'));
  }
}
