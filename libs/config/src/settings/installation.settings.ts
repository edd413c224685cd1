import { ListOf, Text, WholeNumber } from '../kinds.js';
import { SERVICE_NAMES, type ServiceName, Setting } from '../setting.js';

/** What a process runs, and where it keeps its files. */
export class InstallationSettings {
  @Setting('SERVICES', 'The services that run in this process.')
  @ListOf(SERVICE_NAMES)
  readonly services: readonly ServiceName[] = SERVICE_NAMES;

  @Setting(
    'DATA_DIR',
    'Directory of the embedded database, the generated secrets and dev-credentials.json. Below a private directory of root the database is elsewhere, at the path in the file postgres-location.',
  )
  @Text('path')
  readonly dataDir: string = '.data';

  @Setting(
    'CARRIER_SIM_PORT',
    'Port of the carrier simulator that runs beside the embedded installation.',
    { readBy: ['dispatch'], fallbackText: 'the port of last time, or any free one' },
  )
  @WholeNumber(0, 65_535)
  readonly carrierSimPort: number = 0;
}
