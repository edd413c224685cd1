import { WholeNumber } from '../kinds.js';
import { Setting } from '../setting.js';

/** How long messages are kept. */
export class RetentionSettings {
  @Setting(
    'RETENTION_CONTENT_DAYS',
    'The text of an SMS is deleted so long after it was sent. Its record stays and says `content_expired`.',
    { readBy: ['dispatch'], unit: 'days' },
  )
  @WholeNumber(1, 3_650)
  readonly retentionContentDays: number = 30;

  @Setting(
    'RETENTION_MESSAGES_DAYS',
    'Records of one-time passwords, SMS and emails are deleted so long after their acceptance: those of emails at once, the others with all of their month (in UTC). The ledger is kept for ever.',
    { readBy: ['dispatch'], unit: 'days' },
  )
  @WholeNumber(90, 3_650)
  readonly retentionMessagesDays: number = 400;
}
