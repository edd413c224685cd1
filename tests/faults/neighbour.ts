import pg from 'pg';

/** For the bus of a database there is another one from now on: it writes and reads all by the log. */
export async function neighbourOn(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'watchword-bus-control',
  });
  await client.connect();
  await client.query('NOTIFY bus_hello');
  return client;
}
