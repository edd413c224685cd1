import { Inject, Injectable } from '@nestjs/common';
import type { TextCommand } from '../../channels/text-channel.js';
import { type Classifiable, type Classifier, CLASSIFIER } from './classifier.port.js';
import { type Setting, testVerdict, toBeClassified, verdictOf } from './screening.policy.js';
import type { Verdict } from '../../messages/anti-spam-verdict.js';

/**
 * Decides before anything is stored what to block or tag. The text of an OTP is ours and never
 * judged.
 */
@Injectable()
export class ScreenMessagesHandler {
  constructor(@Inject(CLASSIFIER) private readonly classifier: Classifier) {}

  /** Returns verdicts by message id. A message that was not judged is absent. */
  async screen(commands: readonly TextCommand[]): Promise<Map<string, Verdict>> {
    const verdicts = new Map<string, Verdict>();
    const open: { readonly text: Classifiable; readonly setting: Setting }[] = [];
    for (const command of commands) {
      const verdict = testVerdict(command);
      const judged = toBeClassified(command);
      if (verdict) verdicts.set(command.message_id, verdict);
      else if (judged)
        open.push({ text: classifiable(command, judged.text), setting: judged.setting });
    }
    if (open.length === 0) return verdicts;
    const classified = await this.classifier.classify(open.map(({ text }) => text));
    for (const [index, { text, setting }] of open.entries()) {
      const classification = classified[index];
      if (classification) verdicts.set(text.id, verdictOf(classification, setting));
    }
    return verdicts;
  }

  /** Returns what would be done about this text now. */
  async actionOn(text: Classifiable, setting: Setting): Promise<Verdict['action']> {
    if (setting === 'off') return 'none';
    const [classification] = await this.classifier.classify([text]);
    return classification ? verdictOf(classification, setting).action : 'none';
  }

  close(): Promise<void> {
    return this.classifier.close();
  }
}

function classifiable(command: TextCommand, text: string): Classifiable {
  const { message_id: id, country_code: country, sender_id: sender } = command;
  return { id, text, country, sender };
}
