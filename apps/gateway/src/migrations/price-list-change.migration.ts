import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gateways keep the public price list in memory: that it was replaced is a change like any other. */
export class PriceListChange1763683440000 implements MigrationInterface {
  readonly name = 'PriceListChange1763683440000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The latest that an operator has put; the lists themselves are billing's.
      CREATE TABLE gateway.price_list_version (
        only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
        version bigint NOT NULL
      );

      CREATE TRIGGER announce AFTER INSERT OR UPDATE ON gateway.price_list_version
        FOR EACH ROW EXECUTE FUNCTION gateway.announce_change('prices');
    `);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
