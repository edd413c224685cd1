import type { DeadLetters, Page } from '@watchword/contracts';
import { call, operatorPath } from './api.js';
import { button, element, moment, table } from './element.js';
import { askReason, type Stage, type View } from './view.js';

export const deadLetters: View = {
  name: 'dead-letters',
  title: 'Dead letters',
  async show(stage) {
    const { data } = await call<Page<DeadLetters>>('GET', operatorPath(['dead-letters']));
    const shown = table(
      [
        { title: 'Topic', of: ({ topic }) => topic },
        { title: 'Group', of: ({ group }) => group },
        { title: 'Reason', of: ({ reason }) => reason },
        { title: 'Letters', of: ({ count }) => String(count) },
        { title: 'First (UTC)', of: ({ first_died_at: at }) => moment(at) },
        { title: 'Last (UTC)', of: ({ last_died_at: at }) => moment(at) },
        { title: '', of: (letters) => actions(letters, stage) },
      ],
      data,
      'There are none. That is how it should be.',
    );
    const help =
      'Messages between the services that failed after all retries. Mend the cause first, then replay: ' +
      'all letters of the topic and group are handled again, in their old order.';
    stage.into.append(shown, element('p', { className: 'quiet' }, help));
  },
};

function actions(letters: DeadLetters, { run, say, again }: Stage): HTMLElement {
  const { topic, group, can_be_replayed: canBeReplayed } = letters;
  const replay = button('Replay', () => {
    if (!confirm(`Replay all letters of ${topic} for ${group}?`)) return;
    void run(async () => {
      const body = { topic, group };
      const { replayed } = await call<{ replayed: number }>(
        'POST',
        operatorPath(['dead-letters', 'replay']),
        body,
      );
      say(`${replayed} letters are handled again.`);
      again();
    });
  });
  const discard = button('Discard', () => {
    const reason = askReason(`All letters of ${topic} for ${group} are lost for good.`);
    if (reason === null) return;
    void run(async () => {
      await call('DELETE', operatorPath(['dead-letters']), { topic, group, reason });
      say('The letters are discarded.');
      again();
    });
  });
  replay.disabled = !canBeReplayed;
  return element('span', {}, replay, discard);
}
