import { OneOf, Text, Url } from '../kinds.js';
import { Setting } from '../setting.js';

/** Settings of the classifier of SMS behind the built-in rules. */
export class AntiSpamSettings {
  @Setting(
    'ANTI_SPAM_URL',
    'Classifier of your own, asked by POST about each SMS that the built-in rules let pass.',
    { readBy: ['dispatch'], fallbackText: 'none is asked' },
  )
  @Url('http', 'https')
  readonly antiSpamUrl: string = '';

  @Setting('ANTI_SPAM_TOKEN', 'Bearer token that this classifier wants.', {
    readBy: ['dispatch'],
    secret: true,
    fallbackText: 'none is sent',
  })
  @Text('a token without blanks', /^\S{1,500}$/)
  readonly antiSpamToken: string = '';

  @Setting(
    'ANTI_SPAM_FAIL',
    'Whether a message passes (open) or is flagged (closed) when that classifier does not answer.',
    { readBy: ['dispatch'] },
  )
  @OneOf(['open', 'closed'])
  readonly antiSpamFail: 'open' | 'closed' = 'open';
}
