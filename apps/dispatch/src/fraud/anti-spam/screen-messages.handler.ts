import type { SendMessage } from '@watchword/contracts';
import type { Classifiable, Classifier } from './classifier.port.js';
import { isToBeClassified, type Setting, testVerdict, verdictOf } from './screening.policy.js';
import type { Verdict } from './verdict.js';

/**
 * Says before anything is stored what is to be blocked or tagged. A code's text is ours: never
 * judged.
 */
export class ScreenMessagesHandler {
  constructor(private readonly classifier: Classifier) {}

  /** By message id; one that is not in it was not judged. */
  async screen(commands: readonly SendMessage[]): Promise<Map<string, Verdict>> {
    const verdicts = new Map<string, Verdict>();
    const open: SendMessage[] = [];
    for (const command of commands) {
      const verdict = testVerdict(command);
      if (verdict) verdicts.set(command.message_id, verdict);
      else if (isToBeClassified(command)) open.push(command);
    }
    if (open.length === 0) return verdicts;
    const classified = await this.classifier.classify(open.map(classifiable));
    for (const [index, { message_id: id, sms }] of open.entries()) {
      const classification = classified[index];
      if (classification) verdicts.set(id, verdictOf(classification, sms?.anti_spam ?? 'off'));
    }
    return verdicts;
  }

  /** What would be done about a text that was sent now. */
  async actionOn(text: Classifiable, setting: Setting): Promise<Verdict['action']> {
    if (setting === 'off') return 'none';
    const [classification] = await this.classifier.classify([text]);
    return classification ? verdictOf(classification, setting).action : 'none';
  }

  close(): Promise<void> {
    return this.classifier.close();
  }
}

function classifiable({ message_id: id, sms, ...command }: SendMessage): Classifiable {
  return {
    id,
    text: sms?.body ?? '',
    country: command.country_code,
    sender: command.sender_id,
  };
}
