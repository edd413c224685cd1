import { Text, Url, WholeNumber } from '../kinds.js';
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

  @Setting('GATEWAY_POOL_SIZE', 'Database connections of the gateway service’s data plane.', {
    readBy: ['gateway'],
    unit: 'connections',
  })
  @WholeNumber(1, 100)
  readonly gatewayPoolSize: number = 4;

  @Setting('BILLING_POOL_SIZE', 'Database connections of the billing service’s data plane.', {
    readBy: ['billing'],
    unit: 'connections',
  })
  @WholeNumber(1, 100)
  readonly billingPoolSize: number = 6;

  @Setting('DISPATCH_POOL_SIZE', 'Database connections of the dispatch service’s data plane.', {
    readBy: ['dispatch'],
    unit: 'connections',
  })
  @WholeNumber(1, 100)
  readonly dispatchPoolSize: number = 8;

  @Setting('WEBHOOKS_POOL_SIZE', 'Database connections of the webhooks service’s data plane.', {
    readBy: ['webhooks'],
    unit: 'connections',
  })
  @WholeNumber(1, 100)
  readonly webhooksPoolSize: number = 6;
}
