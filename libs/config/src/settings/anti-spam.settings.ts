import { Decimal, OneOf, Text, Url, WholeNumber } from '../kinds.js';
import { Setting } from '../setting.js';

/** Settings of the classifiers of SMS beside the built-in rules. */
export class AntiSpamSettings {
  @Setting(
    'ANTI_SPAM_MODEL',
    'Model that the operator command train-anti-spam wrote, read at the start. It flags SMS from a probability of 0.95 on, beside the built-in rules.',
    { readBy: ['dispatch'], fallbackText: 'none: the built-in rules alone' },
  )
  @Text('path')
  readonly antiSpamModel: string = '';

  @Setting(
    'ANTI_SPAM_URL',
    'Classifier of your own, asked by POST about each SMS that the built-in rules and the model let pass.',
    { readBy: ['dispatch'], fallbackText: 'none is asked' },
  )
  @Url('http', 'https')
  readonly antiSpamUrl: string = '';

  @Setting(
    'ANTI_SPAM_URL_DIALECT',
    'What that classifier speaks: the product’s own question and answer, or those of OpenAI’s chat completions or moderations.',
    { readBy: ['dispatch'] },
  )
  @OneOf(['generic', 'openai_chat', 'openai_moderation'])
  readonly antiSpamUrlDialect: 'generic' | 'openai_chat' | 'openai_moderation' = 'generic';

  @Setting('ANTI_SPAM_URL_MODEL', 'Model that the dialects of OpenAI name.', {
    readBy: ['dispatch'],
    fallbackText: 'none is named',
  })
  @Text('at most 100 letters, digits and . _ : / -', /^[\w.:/-]{1,100}$/)
  readonly antiSpamUrlModel: string = '';

  @Setting('ANTI_SPAM_TOKEN', 'Bearer token that this classifier wants.', {
    readBy: ['dispatch'],
    secret: true,
    fallbackText: 'none is sent',
  })
  @Text('a token without blanks', /^\S{1,500}$/)
  readonly antiSpamToken: string = '';

  @Setting('ANTI_SPAM_TIMEOUT_MS', 'How long a message waits for that classifier at most.', {
    readBy: ['dispatch'],
    unit: 'milliseconds',
  })
  @WholeNumber(10, 10_000)
  readonly antiSpamTimeoutMs: number = 800;

  @Setting(
    'ANTI_SPAM_THRESHOLD',
    'The score from which on that classifier’s word flags a message.',
    { readBy: ['dispatch'] },
  )
  @Decimal(0, 1)
  readonly antiSpamThreshold: number = 0.8;

  @Setting(
    'ANTI_SPAM_FAIL',
    'Whether a message passes (open) or is flagged (closed) when that classifier does not answer.',
    { readBy: ['dispatch'] },
  )
  @OneOf(['open', 'closed'])
  readonly antiSpamFail: 'open' | 'closed' = 'open';
}
