import { Global, Module, type Provider } from '@nestjs/common';
import { SecuritySettings } from '@watchword/config';
import { OtpCodes } from './channels/otp/otp-codes.port.js';
import { OtpSecrets } from './verification/otp-secrets.js';

const providers: Provider[] = [
  {
    provide: OtpSecrets,
    useFactory: ({ pepper, encryptionKeys }: SecuritySettings) =>
      new OtpSecrets(pepper, encryptionKeys),
    inject: [SecuritySettings],
  },
  { provide: OtpCodes, useExisting: OtpSecrets },
];

/**
 * Codes for sending, which creates them, and verification, which compares them. Neither imports the
 * other.
 */
@Global()
@Module({ providers, exports: providers })
export class CodesModule {}
