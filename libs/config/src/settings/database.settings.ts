import { Text, Url } from '../kinds.js';
import { Setting } from '../setting.js';

const PASSWORD = {
  readBy: ['operator'],
  secret: true,
  fallbackText: 'follows from the encryption key',
} as const;
const Password = () => Text('at least 16 characters without spaces', /^\S{16,}$/);

/** Settings of PostgreSQL. */
export class DatabaseSettings {
  @Setting(
    'DATABASE_URL',
    'PostgreSQL to use instead of the embedded one. Its user may create roles, or is the role of the service.',
    { secret: true, fallbackText: 'embedded PostgreSQL' },
  )
  @Url('postgres', 'postgresql')
  readonly databaseUrl: string = '';

  @Setting(
    'DATABASE_PASSWORD',
    'Password for a DATABASE_URL that has none, as it is: in the URL, characters such as / # ? @ % need escapes.',
    { secret: true, fallbackText: 'that of DATABASE_URL' },
  )
  @Text()
  readonly databasePassword: string = '';

  @Setting(
    'GATEWAY_DATABASE_PASSWORD',
    'Password of the role watchword_gateway; only `npm run operator -- migrate` needs it.',
    PASSWORD,
  )
  @Password()
  readonly gatewayDatabasePassword: string = '';

  @Setting(
    'BILLING_DATABASE_PASSWORD',
    'Password of the role watchword_billing; only `npm run operator -- migrate` needs it.',
    PASSWORD,
  )
  @Password()
  readonly billingDatabasePassword: string = '';

  @Setting(
    'DISPATCH_DATABASE_PASSWORD',
    'Password of the role watchword_dispatch; only `npm run operator -- migrate` needs it.',
    PASSWORD,
  )
  @Password()
  readonly dispatchDatabasePassword: string = '';

  @Setting(
    'WEBHOOKS_DATABASE_PASSWORD',
    'Password of the role watchword_webhooks; only `npm run operator -- migrate` needs it.',
    PASSWORD,
  )
  @Password()
  readonly webhooksDatabasePassword: string = '';
}
