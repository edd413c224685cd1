import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, type Operator, operator } from '../../api/client';
import { Ask } from '../../parts/act';
import { Rows } from '../../parts/list';
import { Moment } from '../../parts/show';
import { Empty, Loaded, PageTitle } from '../../parts/states';
import { useFormats, useTexts } from '../../texts';

const TEXTS = {
  title: ['Dead letters', 'Messages morts'],
  topic: ['Topic', 'Sujet'],
  group: ['Group', 'Groupe'],
  reason: ['Reason', 'Motif'],
  count: ['Letters', 'Messages'],
  first: ['First', 'Premier'],
  last: ['Last', 'Dernier'],
  replay: ['Replay', 'Rejouer'],
  replayAsk: [
    'All letters of the topic and group are handled again, in their old order.',
    'Tous les messages du sujet et du groupe sont traités à nouveau, dans leur ordre.',
  ],
  discard: ['Discard', 'Supprimer'],
  discardAsk: ['These letters are lost for good.', 'Ces messages sont perdus définitivement.'],
  help: [
    'Messages between the services that failed after all retries. Mend the cause first, then replay.',
    'Messages entre services, en échec après toutes les tentatives. Corrigez la cause, puis rejouez.',
  ],
  none: ['There are none', 'Il n’y en a pas'],
  noneHelp: ['That is how it should be.', 'C’est ainsi que cela doit être.'],
} as const;

export function DeadLetters() {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  const query = useQuery({
    queryKey: ['dead-letters'],
    queryFn: () => answerOf(operator.GET('/operator/v1/dead-letters')),
    refetchInterval: 10_000,
  });
  return (
    <>
      <PageTitle title={texts.title} />
      <Loaded query={query}>
        {({ data }) => (
          <Rows
            isCards
            rows={data}
            idOf={({ topic, group, reason }) => `${topic} ${group} ${reason}`}
            label={texts.title}
            empty={<Empty title={texts.none}>{texts.noneHelp}</Empty>}
            columns={[
              { title: texts.topic, of: ({ topic }) => topic },
              { title: texts.group, of: ({ group }) => group },
              { title: texts.reason, of: ({ reason }) => reason },
              { title: texts.count, of: ({ count }) => number(count), isNumber: true },
              {
                title: texts.first,
                of: ({ first_died_at: at }) => <Moment at={at} />,
                isWide: true,
              },
              { title: texts.last, of: ({ last_died_at: at }) => <Moment at={at} />, isWide: true },
              {
                title: '',
                isAction: true,
                of: (letters) => <Actions letters={letters} />,
              },
            ]}
          />
        )}
      </Loaded>
      <Text size="sm" c="dimmed" mt="sm">
        {texts.help}
      </Text>
    </>
  );
}

function Actions({ letters }: { letters: Operator['DeadLetters'] }) {
  const texts = useTexts(TEXTS);
  const { topic, group, can_be_replayed: canBeReplayed } = letters;
  return (
    <Group gap="xs">
      {canBeReplayed && (
        <Ask
          label={texts.replay}
          question={texts.replayAsk}
          onConfirm={() =>
            answerOf(
              operator.POST('/operator/v1/dead-letters/replay', {
                body: { topic, group },
              }),
            )
          }
        />
      )}
      <Ask
        label={texts.discard}
        question={texts.discardAsk}
        withReason
        color="red"
        onConfirm={(reason) =>
          answerOf(
            operator.DELETE('/operator/v1/dead-letters', {
              body: { topic, group, reason },
            }),
          )
        }
      />
    </Group>
  );
}
