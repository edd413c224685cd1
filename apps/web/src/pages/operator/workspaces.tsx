import { Anchor, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { answerOf, type Operator, operator } from '../../api/client';
import { FormButton } from '../../parts/act';
import { PagedRows } from '../../parts/list';
import { Moment, Status } from '../../parts/show';
import { Empty, PageTitle } from '../../parts/states';
import { useFormats, useTexts } from '../../texts';

const TEXTS = {
  title: ['Workspaces', 'Espaces de travail'],
  create: ['Create a workspace', 'Créer un espace'],
  name: ['Name', 'Nom'],
  country: ['Billing country', 'Pays de facturation'],
  balance: ['Balance', 'Solde'],
  bought: ['Bought', 'Achetés'],
  since: ['Since', 'Depuis'],
  state: ['State', 'État'],
  none: ['No workspace yet', 'Aucun espace'],
} as const;

export function Workspaces() {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  return (
    <>
      <PageTitle title={texts.title}>
        <FormButton
          label={texts.create}
          onSubmit={({ name = '', country }) =>
            answerOf(
              operator.POST('/operator/v1/workspaces', {
                body: { name, ...(country && { billing_country: country.toUpperCase() }) },
              }),
            )
          }
        >
          <TextInput name="name" label={texts.name} required />
          <TextInput name="country" label={texts.country} maxLength={2} placeholder="NG" />
        </FormButton>
      </PageTitle>
      <PagedRows<Operator['Workspace']>
        queryKey={['workspaces']}
        read={(cursor) =>
          answerOf(
            operator.GET('/operator/v1/workspaces', {
              params: { query: { limit: 20, ...(cursor && { cursor }) } },
            }),
          )
        }
        idOf={(one) => one.workspace_id}
        label={texts.title}
        empty={<Empty title={texts.none} />}
        columns={[
          {
            title: texts.name,
            of: (one) => (
              <Anchor component={Link} to={`/operator/workspaces/${one.workspace_id}`} fw={500}>
                {one.name}
              </Anchor>
            ),
          },
          {
            title: texts.state,
            of: ({ suspended }) => <Status of={suspended ? 'suspended' : 'active'} />,
          },
          { title: texts.balance, of: ({ balance }) => number(balance), isNumber: true },
          {
            title: texts.bought,
            of: (one) => number(one.purchased_credits),
            isNumber: true,
            isWide: true,
          },
          { title: texts.country, of: (one) => one.billing_country, isWide: true },
          { title: texts.since, of: ({ created_at: at }) => <Moment at={at} />, isWide: true },
        ]}
      />
    </>
  );
}
