import { Text, Url } from '../kinds.js';
import { Setting } from '../setting.js';

/** Settings of the external Do Not Disturb registry. */
export class DoNotDisturbSettings {
  @Setting(
    'DND_LOOKUP_URL',
    'Do Not Disturb registry, asked by POST before each live SMS; sends go on after 300 ms without an answer.',
    { readBy: ['dispatch'], fallbackText: 'none: uploaded lists and learned numbers alone' },
  )
  @Url('http', 'https')
  readonly dndLookupUrl: string = '';

  @Setting('DND_LOOKUP_TOKEN', 'Bearer token that this registry wants.', {
    readBy: ['dispatch'],
    secret: true,
    fallbackText: 'none',
  })
  @Text('printable ASCII without spaces', /^[\x21-\x7e]+$/)
  readonly dndLookupToken: string = '';
}
