import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What gateways keep in memory changes under them. Every change of it is numbered and announced in
 * its own transaction, by triggers, so that none can be forgotten; and gateways say how far they
 * have followed. See `changes/edge-lease.ts` and ADR 0011.
 */
export class Changes1763683380000 implements MigrationInterface {
  readonly name = 'Changes1763683380000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway.change_number (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        number bigint NOT NULL
      );
      INSERT INTO gateway.change_number (number) VALUES (0);

      CREATE TABLE gateway.edges (
        id uuid PRIMARY KEY,
        -- It acts on all changes up to this one.
        seen bigint NOT NULL,
        -- Until then it may answer from memory.
        lease_until timestamptz NOT NULL
      ) WITH (fillfactor = 50);

      -- The row lock of the number is held until the end of the transaction: numbers commit in
      -- their order, and notifications arrive in it.
      CREATE FUNCTION gateway.announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE reached bigint;
      BEGIN
        UPDATE gateway.change_number SET number = number + 1 RETURNING number INTO reached;
        PERFORM pg_notify('gateway_changes', json_build_object(
          'number', reached, 'kind', TG_ARGV[0], 'id', to_jsonb(NEW) ->> 'id')::text);
        RETURN NULL;
      END $$;

      CREATE TRIGGER announce AFTER UPDATE OF revoked_at, permission ON gateway.api_keys
        FOR EACH ROW EXECUTE FUNCTION gateway.announce_change('key');
      CREATE TRIGGER announce AFTER UPDATE ON gateway.workspaces
        FOR EACH ROW EXECUTE FUNCTION gateway.announce_change('workspace');
      CREATE TRIGGER announce AFTER INSERT OR UPDATE ON gateway.platform_settings
        FOR EACH ROW EXECUTE FUNCTION gateway.announce_change('settings');
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
