import { HexKeys, Text } from '../kinds.js';
import { Setting } from '../setting.js';

/** Keys and tokens of the installation. */
export class SecuritySettings {
  @Setting('PEPPER', 'Key under which one-time codes are hashed; it never enters the database.', {
    readBy: ['dispatch'],
    secret: true,
    fallbackText: 'generated (embedded only)',
  })
  @Text('at least 32 characters', /^.{32,}$/)
  readonly pepper: string = '';

  @Setting(
    'ENCRYPTION_KEYS',
    'Keys under which codes awaiting hand-over, webhook secrets and saved payment methods are encrypted at rest. The first one encrypts, all of them decrypt (guide “Operate”).',
    {
      readBy: ['billing', 'dispatch', 'webhooks'],
      secret: true,
      fallbackText: 'generated (embedded only)',
    },
  )
  @HexKeys()
  readonly encryptionKeys: readonly string[] = [];

  @Setting('OPERATOR_TOKEN', 'Bearer token of /operator/v1.', {
    readBy: ['gateway'],
    secret: true,
    fallbackText: 'generated (embedded only); elsewhere unset, which closes the operator API',
  })
  @Text('at least 32 characters without spaces', /^\S{32,}$/)
  readonly operatorToken: string = '';
}
