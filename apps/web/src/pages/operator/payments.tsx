import { Anchor, Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, type Operator, operator } from '../../api/client';
import { Ask } from '../../parts/act';
import { PagedRows } from '../../parts/list';
import { Moment, Status } from '../../parts/show';
import { Empty, PageTitle } from '../../parts/states';
import { useFormats, useTexts } from '../../texts';

const TEXTS = {
  title: ['Payments', 'Paiements'],
  held: ['Only those that are held', 'Seulement ceux qui sont retenus'],
  time: ['Time', 'Heure'],
  status: ['Status', 'Statut'],
  amount: ['Amount', 'Montant'],
  credits: ['Credits', 'Crédits'],
  provider: ['Service', 'Prestataire'],
  workspace: ['Workspace', 'Espace'],
  why: ['Held because', 'Retenu car'],
  confirm: ['Confirm', 'Confirmer'],
  ask: [
    'The money has come. The credits are entered.',
    'L’argent est arrivé. Les crédits sont inscrits.',
  ],
  none: ['No payment', 'Aucun paiement'],
} as const;

type Payment = Operator['OperatorPayment'];

export function Payments() {
  const texts = useTexts(TEXTS);
  const { money, number } = useFormats();
  const [isHeld, setHeld] = useState(false);
  return (
    <>
      <PageTitle title={texts.title}>
        <Switch
          label={texts.held}
          checked={isHeld}
          onChange={(event) => setHeld(event.currentTarget.checked)}
        />
      </PageTitle>
      <PagedRows<Payment>
        isCards
        queryKey={['operator-payments', isHeld]}
        read={(cursor) => {
          const query = { limit: 20, ...(isHeld && { held: true }), ...(cursor && { cursor }) };
          return answerOf(operator.GET('/operator/v1/payments', { params: { query } }));
        }}
        idOf={(one) => one.payment_id}
        label={texts.title}
        empty={<Empty title={texts.none} />}
        columns={[
          { title: texts.time, of: ({ created_at: at }) => <Moment at={at} /> },
          { title: texts.status, of: ({ status }) => <Status of={status} /> },
          {
            title: texts.amount,
            of: ({ amount, currency }) => money(amount, currency),
            isNumber: true,
          },
          {
            title: texts.credits,
            of: ({ credits }) => number(credits),
            isNumber: true,
            isWide: true,
          },
          { title: texts.provider, of: ({ provider }) => provider, isWide: true },
          { title: texts.why, of: ({ held, failure }) => held ?? failure ?? '', isWide: true },
          {
            title: texts.workspace,
            of: ({ workspace_id: id }) => (
              <Anchor component={Link} to={`/operator/workspaces/${id}`} className="code">
                {id}
              </Anchor>
            ),
            isWide: true,
          },
          {
            title: '',
            isAction: true,
            of: (payment) => <Confirm {...payment} />,
          },
        ]}
      />
    </>
  );
}

/** Only for a transfer that is not confirmed yet. */
function Confirm({ payment_id: id, status, provider }: Payment) {
  const texts = useTexts(TEXTS);
  if (provider !== 'manual' || status !== 'pending') return null;
  return (
    <Ask
      label={texts.confirm}
      question={texts.ask}
      onConfirm={() =>
        answerOf(operator.POST('/operator/v1/payments/{id}/confirm', { params: { path: { id } } }))
      }
    />
  );
}
