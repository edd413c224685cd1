import { Anchor, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, type Operator, operator } from '../../api/client';
import { Ask } from '../../parts/act';
import { PagedRows } from '../../parts/list';
import { CountryStatus, Moment, useStatusWord } from '../../parts/show';
import { Empty, PageTitle } from '../../parts/states';
import { fill, useTexts } from '../../texts';

const TEXTS = {
  title: ['Sender ID reviews', 'Examen des expéditeurs'],
  status: ['Status', 'Statut'],
  id: ['Sender ID', 'Expéditeur'],
  countries: ['Countries', 'Pays'],
  company: ['Company', 'Société'],
  use: ['Use', 'Usage'],
  sample: ['Sample', 'Exemple'],
  document: ['Document', 'Document'],
  asked: ['Requested', 'Demandé'],
  approve: ['Approve', 'Approuver'],
  reject: ['Reject', 'Rejeter'],
  activate: ['Activate', 'Activer'],
  suspend: ['Suspend', 'Suspendre'],
  again: ['Approve again', 'Approuver à nouveau'],
  ask: ['{id} in {countries}', '{id} en {countries}'],
  dnd: ['reaches Do Not Disturb numbers', 'atteint les numéros « ne pas déranger »'],
  none: ['No sender ID has this status', 'Aucun expéditeur n’a ce statut'],
} as const;

type SenderId = Operator['RegisteredSenderId'];
type Decision = Operator['ReviewSenderIdRequest']['status'];

const STATUSES = ['pending', 'approved', 'active', 'suspended', 'rejected'] as const;

/**
 * The steps that a review can take. The server refuses a whole call for one country whose review has not this
 * step, so each step is for the countries that have it.
 */
const STEPS = [
  { name: 'approve', status: 'approved', from: ['pending'] },
  { name: 'reject', status: 'rejected', from: ['pending'] },
  { name: 'activate', status: 'active', from: ['approved'] },
  { name: 'suspend', status: 'suspended', from: ['approved', 'active'] },
  // Apart from the first approval, so that it does not end a suspension on the way.
  { name: 'again', status: 'approved', from: ['suspended'] },
] as const satisfies { name: keyof typeof TEXTS; status: Decision; from: SenderId['status'][] }[];

export function Reviews() {
  const texts = useTexts(TEXTS);
  const word = useStatusWord();
  const [status, setStatus] = useState<SenderId['status']>('pending');
  return (
    <>
      <PageTitle title={texts.title} />
      <Select
        label={texts.status}
        value={status}
        onChange={(value) => setStatus((value ?? 'pending') as SenderId['status'])}
        allowDeselect={false}
        data={STATUSES.map((value) => ({ value, label: word(value) }))}
        maw={240}
        mb="md"
      />
      <PagedRows<SenderId>
        isCards
        queryKey={['reviews', status]}
        read={(cursor) =>
          answerOf(
            operator.GET('/operator/v1/sender-ids', {
              params: { query: { limit: 20, status, ...(cursor && { cursor }) } },
            }),
          )
        }
        idOf={({ id }) => id}
        label={texts.title}
        empty={<Empty title={texts.none} />}
        columns={[
          { title: texts.id, of: (one) => <strong>{one.sender_id}</strong> },
          { title: texts.countries, of: (one) => <Countries reviews={one.reviews} /> },
          { title: texts.company, of: (one) => <Company senderId={one} />, isWide: true },
          { title: texts.use, of: (one) => <Text size="sm">{one.use_case}</Text>, isWide: true },
          {
            title: texts.sample,
            of: (one) => <Text size="sm">{one.sample_message}</Text>,
            isWide: true,
          },
          { title: texts.asked, of: ({ created_at: at }) => <Moment at={at} />, isWide: true },
          { title: '', isAction: true, of: (one) => <Steps senderId={one} /> },
        ]}
      />
    </>
  );
}

function Countries({ reviews }: Pick<SenderId, 'reviews'>) {
  const texts = useTexts(TEXTS);
  return reviews.map(
    ({ country, status, rejection_reason: reason, dnd_whitelisted: reachesDnd }) => (
      <CountryStatus
        key={country}
        country={country}
        status={status}
        note={[reachesDnd && texts.dnd, reason].filter(Boolean).join(', ')}
      />
    ),
  );
}

/** Customers wrote the address, so only HTTPS becomes a link, and its site does not learn of this page. */
function Company({
  senderId: { registered_entity: company, registration_doc_url: url },
}: {
  senderId: SenderId;
}) {
  const texts = useTexts(TEXTS);
  return (
    <>
      <Text size="sm">{company}</Text>
      {url?.startsWith('https://') && (
        <Anchor href={url} target="_blank" rel="noreferrer" size="xs">
          {texts.document}
        </Anchor>
      )}
    </>
  );
}

function Steps({ senderId: { id, sender_id: name, reviews } }: { senderId: SenderId }) {
  const texts = useTexts(TEXTS);
  return (
    <Group gap="xs">
      {STEPS.map((step) => {
        const from: readonly string[] = step.from;
        const countries = reviews
          .filter(({ status }) => from.includes(status))
          .map(({ country }) => country);
        if (countries.length === 0) return null;
        const needsReason = step.status === 'rejected' || step.status === 'suspended';
        return (
          <Ask
            key={step.name}
            label={texts[step.name]}
            question={fill(texts.ask, { id: name, countries: countries.join(', ') })}
            withReason={needsReason}
            onConfirm={(reason) =>
              answerOf(
                operator.POST('/operator/v1/sender-ids/{id}/reviews', {
                  params: { path: { id } },
                  body: { countries, status: step.status, ...(needsReason && { reason }) },
                }),
              )
            }
          />
        );
      })}
    </Group>
  );
}
