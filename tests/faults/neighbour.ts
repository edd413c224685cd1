import pg from 'pg';

/**
 * Adds another bus on the database, so that the first one writes and reads everything by the log.
 */
export async function neighbourOn(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'watchword-bus-control',
  });
  // The embedded database ends with the process that is killed.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('NOTIFY bus_hello');
  return client;
}
