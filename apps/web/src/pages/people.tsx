import { Group, Select, Stack, Tabs, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, type Dashboard, dashboard } from '../api/client';
import { Ask, FormButton } from '../parts/act';
import { AuditRows } from '../parts/audit-rows';
import { PagedRows } from '../parts/list';
import { Moment, ShownOnce } from '../parts/show';
import { Empty, PageTitle } from '../parts/states';
import { useLogOut, useMember } from '../session';
import { useTexts } from '../texts';

const TEXTS = {
  title: ['People', 'Personnes'],
  members: ['Members', 'Membres'],
  invitations: ['Open invitations', 'Invitations ouvertes'],
  audit: ['Audit', 'Audit'],
  invite: ['Invite', 'Inviter'],
  email: ['Email', 'Adresse e-mail'],
  role: ['Role', 'Rôle'],
  owner: ['Owner', 'Propriétaire'],
  member: ['Member', 'Membre'],
  since: ['Since', 'Depuis'],
  expires: ['Expires', 'Expire'],
  by: ['Invited by', 'Invité par'],
  remove: ['Remove', 'Retirer'],
  leave: ['Leave', 'Quitter'],
  removeAsk: [
    'Choose what becomes of the API keys that this person made, then confirm.',
    'Choisissez le sort des clés d’API créées par cette personne, puis confirmez.',
  ],
  keys: ['API keys of this person', 'Clés d’API de cette personne'],
  revoke: ['Revoke them', 'Les révoquer'],
  keep: ['Keep them', 'Les garder'],
  withdraw: ['Withdraw', 'Retirer'],
  withdrawAsk: [
    'The link in the invitation stops working.',
    'Le lien de l’invitation cesse de fonctionner.',
  ],
  link: [
    'Send this link to the person. It is shown once.',
    'Envoyez ce lien à la personne. Il n’est montré qu’une fois.',
  ],
  noneOpen: ['No invitation is open', 'Aucune invitation ouverte'],
  none: ['Nobody', 'Personne'],
} as const;

type Person = Dashboard['Member'];

export function People() {
  const texts = useTexts(TEXTS);
  const { user } = useMember();
  const isOwner = user.role === 'owner';
  const [link, setLink] = useState<string>();
  return (
    <>
      <PageTitle title={texts.title}>{isOwner && <Invite onLink={setLink} />}</PageTitle>
      <ShownOnce text={texts.link} value={link} />
      <Tabs defaultValue="members" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="members">{texts.members}</Tabs.Tab>
          {isOwner && <Tabs.Tab value="audit">{texts.audit}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="members">
          <Stack>
            <Members isOwner={isOwner} ownId={user.user_id} />
            {isOwner && <Invitations />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AuditRows
            queryKey={['audit']}
            read={(cursor) =>
              answerOf(
                dashboard.GET('/dashboard/audit', {
                  params: { query: { limit: 20, ...(cursor && { cursor }) } },
                }),
              )
            }
          />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Invite({ onLink }: { onLink: (link: string) => void }) {
  const texts = useTexts(TEXTS);
  return (
    <FormButton
      label={texts.invite}
      onSubmit={async ({ email = '', role }) => {
        const body = { email, role: role === 'owner' ? ('owner' as const) : ('member' as const) };
        const made = await answerOf(dashboard.POST('/dashboard/members', { body }));
        const query = new URLSearchParams({ invitation: made.invitation_token, email });
        onLink(`${location.origin}/app#/signup?${query.toString()}`);
      }}
    >
      <TextInput name="email" type="email" label={texts.email} required />
      <Select
        name="role"
        label={texts.role}
        defaultValue="member"
        allowDeselect={false}
        data={(['member', 'owner'] as const).map((value) => ({ value, label: texts[value] }))}
      />
    </FormButton>
  );
}

function Members({ isOwner, ownId }: { isOwner: boolean; ownId: string }) {
  const texts = useTexts(TEXTS);
  return (
    <PagedRows<Person>
      isCards
      queryKey={['members']}
      read={(cursor) =>
        answerOf(
          dashboard.GET('/dashboard/members', {
            params: { query: { limit: 20, ...(cursor && { cursor }) } },
          }),
        )
      }
      idOf={(one) => one.user_id}
      label={texts.members}
      empty={<Empty title={texts.none} />}
      columns={[
        {
          title: texts.email,
          of: ({ email, name }) => (
            <>
              <Text size="sm" fw={500}>
                {email}
              </Text>
              <Text size="xs" c="dimmed">
                {name ?? ''}
              </Text>
            </>
          ),
        },
        { title: texts.role, of: ({ role }) => texts[role] },
        { title: texts.since, of: ({ joined_at: at }) => <Moment at={at} />, isWide: true },
        {
          title: '',
          isAction: true,
          of: (one) =>
            (isOwner || one.user_id === ownId) && (
              <Remove person={one} isSelf={one.user_id === ownId} />
            ),
        },
      ]}
    />
  );
}

function Remove({ person: { user_id: id }, isSelf }: { person: Person; isSelf: boolean }) {
  const texts = useTexts(TEXTS);
  const logOut = useLogOut();
  const navigate = useNavigate();
  return (
    <FormButton
      label={isSelf ? texts.leave : texts.remove}
      size="compact-sm"
      variant="default"
      onSubmit={async ({ keys }) => {
        const query = { keys: keys === 'keep' ? ('keep' as const) : ('revoke' as const) };
        await answerOf(
          dashboard.DELETE('/dashboard/members/{id}', { params: { path: { id }, query } }),
        );
        if (!isSelf) return;
        await logOut();
        await navigate({ to: '/login' });
      }}
    >
      <Text size="sm">{texts.removeAsk}</Text>
      <Select
        name="keys"
        label={texts.keys}
        defaultValue="revoke"
        allowDeselect={false}
        data={(['revoke', 'keep'] as const).map((value) => ({ value, label: texts[value] }))}
      />
    </FormButton>
  );
}

function Invitations() {
  const texts = useTexts(TEXTS);
  return (
    <>
      <Group>
        <Title order={2}>{texts.invitations}</Title>
      </Group>
      <PagedRows
        isCards
        queryKey={['invitations']}
        read={(cursor) =>
          answerOf(
            dashboard.GET('/dashboard/invitations', {
              params: { query: { limit: 20, ...(cursor && { cursor }) } },
            }),
          )
        }
        idOf={({ id }) => id}
        label={texts.invitations}
        empty={<Empty title={texts.noneOpen} />}
        columns={[
          { title: texts.email, of: ({ email }) => email },
          { title: texts.role, of: ({ role }) => texts[role] },
          { title: texts.by, of: ({ invited_by: by }) => by.email, isWide: true },
          { title: texts.expires, of: ({ expires_at: at }) => <Moment at={at} />, isWide: true },
          {
            title: '',
            isAction: true,
            of: ({ id }) => (
              <Ask
                label={texts.withdraw}
                question={texts.withdrawAsk}
                onConfirm={() =>
                  answerOf(
                    dashboard.DELETE('/dashboard/invitations/{id}', { params: { path: { id } } }),
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
