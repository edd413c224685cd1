import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, operator } from '../../api/client';
import { Ask } from '../../parts/act';
import { carrierName } from '../../parts/carrier-name';
import { Rows } from '../../parts/list';
import { Status } from '../../parts/show';
import { Empty, Loaded, PageTitle } from '../../parts/states';
import { fill, useFormats, useTexts } from '../../texts';

const TEXTS = {
  title: ['Carriers', 'Fournisseurs SMS'],
  account: ['Account', 'Compte'],
  state: ['State', 'État'],
  circuit: ['Circuit', 'Disjoncteur'],
  submits: ['Submits a minute', 'Envois par minute'],
  failed: ['Failed', 'Échecs'],
  unmatched: ['Reports without a message', 'Accusés sans message'],
  preferred: ['Preferred in', 'Préféré en'],
  reason: ['Reason', 'Motif'],
  drain: ['Drain', 'Vider'],
  activate: ['Activate', 'Activer'],
  ask: ['Change the account {id}?', 'Changer le compte {id} ?'],
  help: [
    'A drained account gets no new messages; those under way end as they would.',
    'Un compte vidé ne reçoit plus de nouveaux messages ; ceux en cours se terminent normalement.',
  ],
  none: ['No carrier account is configured', 'Aucun compte de fournisseur n’est configuré'],
} as const;

export function Carriers() {
  const texts = useTexts(TEXTS);
  const { number, share } = useFormats();
  const query = useQuery({
    queryKey: ['carriers'],
    queryFn: () => answerOf(operator.GET('/operator/v1/carriers')),
    refetchInterval: 5_000,
  });
  return (
    <>
      <PageTitle title={texts.title} />
      <Loaded query={query}>
        {({ data }) => (
          <Rows
            isCards
            rows={data}
            idOf={({ id }) => id}
            label={texts.title}
            empty={<Empty title={texts.none} />}
            columns={[
              { title: texts.account, of: ({ id }) => <strong>{carrierName(id)}</strong> },
              { title: texts.state, of: ({ state }) => <Status of={state} /> },
              { title: texts.circuit, of: ({ circuit }) => <Status of={circuit} /> },
              { title: texts.submits, of: (one) => number(one.submits_per_minute), isNumber: true },
              { title: texts.failed, of: (one) => share(one.failed_share), isNumber: true },
              {
                title: texts.unmatched,
                of: (one) => number(one.reports_unmatched ?? 0),
                isNumber: true,
                isWide: true,
              },
              { title: texts.preferred, of: (one) => one.preferred_in.join(', '), isWide: true },
              { title: texts.reason, of: ({ reason }) => reason ?? '', isWide: true },
              {
                title: '',
                isAction: true,
                of: ({ id, state }) => (
                  <Ask
                    label={state === 'active' ? texts.drain : texts.activate}
                    question={fill(texts.ask, { id })}
                    onConfirm={() =>
                      answerOf(
                        operator.PATCH('/operator/v1/carriers/{id}', {
                          params: { path: { id } },
                          body: { state: state === 'active' ? 'drained' : 'active' },
                        }),
                      )
                    }
                  />
                ),
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
