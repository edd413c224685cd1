import { Inject, Injectable } from '@nestjs/common';
import type { Clock, SendMessage } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { EmailEnvironments } from './email-environments.js';
import { EmailChanges } from './email-changes.handler.js';
import { EmailSender } from './email-sender.js';
import { newEmail } from './email-change.policy.js';
import { beginDue, isDue } from './hand-over.policy.js';

/**
 * Turns commands into emails: stored with their first attempts in one statement, then handed to the
 * sender. A repeated command finds its email and does nothing.
 */
@Injectable()
export class SendEmailsHandler {
  constructor(
    private readonly changes: EmailChanges,
    private readonly environments: EmailEnvironments,
    private readonly sender: EmailSender,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async handle(commands: readonly SendMessage[]): Promise<void> {
    const unique = [...new Map(commands.map((one) => [one.message_id, one])).values()];
    if (unique.length === 0) return;
    await this.sender.waitForSlot(unique.reduce((sum, { segments }) => sum + segments, 0));
    const at = new Date(this.clock.now());
    const born = unique.map((command) => newEmail(command, at));
    const environments = await this.environments.read(born.filter((email) => isDue(email, at)));
    const emails = born.map((email) => {
      const environment = environments.get(email.id);
      // A due email without an environment waits for the job.
      if (!email.testMode && environment === undefined) return email;
      return beginDue(email, this.environments.dueHandOver(environment, at));
    });
    emails.sort((one, other) => (one.id < other.id ? -1 : 1));
    const stored = await this.changes.insert(emails);
    for (const [id, email] of stored) {
      const begun = email.attempts.filter(({ outcome }) => outcome === null);
      this.sender.send(email, begun, environments.get(id));
    }
  }
}
