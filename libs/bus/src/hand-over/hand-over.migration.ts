/**
 * Returns the trigger of an outbox that notifies readers, except for transactions that hand their
 * rows over themselves. See `hand-over.port.ts`.
 */
export function silenceableOutbox(schema: string): string {
  if (!/^[a-z][a-z_]*$/.test(schema)) throw new Error(`${schema} is not the name of a schema`);
  return `
    CREATE OR REPLACE TRIGGER wake_readers AFTER INSERT ON ${schema}.outbox
      REFERENCING NEW TABLE AS inserted
      FOR EACH STATEMENT
      WHEN (current_setting('watchword.outbox', true) IS DISTINCT FROM 'silent')
      EXECUTE FUNCTION ${schema}.wake_outbox_readers();
  `;
}
