import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, newKey, type V1, v1 } from '../../api/client';
import { Ask, FormButton } from '../../parts/act';
import { PagedRows } from '../../parts/list';
import { Moment } from '../../parts/show';
import { Empty } from '../../parts/states';
import { useMode } from '../../session';
import { useTexts } from '../../texts';

const TEXTS = {
  channel: ['Channel', 'Canal'],
  email: ['Email', 'E-mail'],
  sms: ['SMS', 'SMS'],
  add: ['Suppress an address', 'Bloquer une adresse'],
  address: ['Address', 'Adresse'],
  origin: ['Why', 'Pourquoi'],
  manual: ['Entered here', 'Saisi ici'],
  bounce: ['Bounced', 'Rejet (bounce)'],
  complaint: ['Complaint', 'Plainte'],
  unsubscribe: ['Unsubscribed', 'Désinscription'],
  opt_out: ['Opted out (STOP)', 'Désinscription (STOP)'],
  since: ['Since', 'Depuis'],
  remove: ['Delete', 'Supprimer'],
  removeAsk: [
    'Messages can be sent to it again.',
    'Des messages pourront y être envoyés à nouveau.',
  ],
  none: ['Nothing is suppressed', 'Rien n’est bloqué'],
  noneHelp: [
    'Addresses that bounce or complain, and numbers that send STOP, are entered by themselves.',
    'Les adresses en rejet ou en plainte et les numéros qui envoient STOP y entrent d’eux-mêmes.',
  ],
} as const;

type Suppression = V1['Suppression'];

export function Suppressions() {
  const texts = useTexts(TEXTS);
  const { mode } = useMode();
  const [channel, setChannel] = useState<'email' | 'sms'>('email');
  return (
    <>
      <Group justify="space-between" mb="sm">
        <SegmentedControl
          aria-label={texts.channel}
          value={channel}
          onChange={(value) => setChannel(value === 'sms' ? 'sms' : 'email')}
          data={[
            { value: 'email', label: texts.email },
            { value: 'sms', label: texts.sms },
          ]}
        />
        <FormButton
          label={texts.add}
          onSubmit={({ address = '' }) =>
            answerOf(
              v1.POST('/v1/suppressions', { params: { header: newKey() }, body: { address } }),
            )
          }
        >
          <TextInput name="address" type="email" label={texts.address} required />
        </FormButton>
      </Group>
      <PagedRows<Suppression>
        isCards
        queryKey={['suppressions', mode, channel]}
        read={(cursor) =>
          answerOf(
            v1.GET('/v1/suppressions', {
              params: { query: { limit: 20, channel, ...(cursor && { cursor }) } },
            }),
          )
        }
        idOf={(one) => `${one.address} ${'sender_id' in one ? one.sender_id : ''}`}
        label={texts.address}
        empty={<Empty title={texts.none}>{texts.noneHelp}</Empty>}
        columns={[
          { title: texts.address, of: ({ address }) => address },
          { title: texts.origin, of: ({ origin }) => texts[origin] },
          { title: texts.since, of: ({ created_at: at }) => <Moment at={at} />, isWide: true },
          {
            title: '',
            isAction: true,
            of: (one) => (
              <Ask
                label={texts.remove}
                question={texts.removeAsk}
                onConfirm={() =>
                  answerOf(
                    v1.DELETE('/v1/suppressions/{address}', {
                      params: { path: { address: one.address }, query: { channel } },
                    }),
                  )
                }
              />
            ),
          },
        ]}
      />
    </>
  );
}
