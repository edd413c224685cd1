import { Secrets, Text, Url } from '../kinds.js';
import { Setting } from '../setting.js';

/** Settings of carrier accounts and their callbacks. */
export class CarrierSettings {
  @Setting(
    'CARRIERS_FILE',
    'JSON file with the accounts at carriers: rows {id, carrier, settings, secrets} (reference “Carriers”).',
    {
      readBy: ['gateway', 'dispatch'],
      fallbackText: 'no accounts; embedded: accounts of the carrier simulator',
    },
  )
  @Text('path')
  readonly carriersFile: string = '';

  @Setting(
    'CALLBACK_SECRET',
    'Key of the secrets in callback addresses, one for each account: `npm run operator -- callback-urls`. During a rotation, give two separated by a comma: the first makes addresses and links, both are accepted.',
    { readBy: ['gateway', 'dispatch'], secret: true, fallbackText: 'generated (embedded only)' },
  )
  @Secrets('at least 16 letters, digits, - or _', /^[A-Za-z0-9_-]{16,}$/)
  readonly callbackSecrets: readonly string[] = [];

  @Setting(
    'CALLBACK_BASE_URL',
    'Address under which carriers reach this installation with delivery reports.',
    { readBy: ['gateway', 'dispatch'], fallbackText: 'http://HOST:PORT' },
  )
  @Url('http', 'https')
  readonly callbackBaseUrl: string = '';
}
