import { Anchor, Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { answerOf, type Operator, operator } from '../../api/client';
import { Ask, FormButton } from '../../parts/act';
import { Rows } from '../../parts/list';
import { ShownOnce } from '../../parts/show';
import { Empty, Loaded, PageTitle } from '../../parts/states';
import { fill, useTexts } from '../../texts';

const TEXTS = {
  title: ['Users', 'Utilisateurs'],
  email: ['Email', 'E-mail'],
  find: ['Find', 'Chercher'],
  none: ['No user has this address', 'Aucun utilisateur n’a cette adresse'],
  invite: ['Invite', 'Inviter'],
  inviteHelp: [
    'The address may sign up and create a workspace, also where sign-up is closed.',
    'L’adresse pourra s’inscrire et créer un espace, même si l’inscription est fermée.',
  ],
  user: ['User', 'Utilisateur'],
  confirmed: ['address confirmed', 'adresse confirmée'],
  unconfirmed: ['address not confirmed', 'adresse non confirmée'],
  role: ['Role', 'Rôle'],
  operator: ['Operator', 'Opérateur'],
  usual: ['User', 'Utilisateur'],
  workspaces: ['Workspaces', 'Espaces de travail'],
  appoint: ['Make an operator', 'Nommer opérateur'],
  appointAsk: [
    '{email} will see and change everything on the platform.',
    '{email} verra et changera tout sur la plateforme.',
  ],
  dismiss: ['Dismiss as operator', 'Révoquer l’opérateur'],
  dismissAsk: [
    '{email} loses the pages of the platform.',
    '{email} perd les pages de la plateforme.',
  ],
  reset: ['Reset the password', 'Réinitialiser le mot de passe'],
  resetAsk: [
    'You get a link that sets a new password once. Give it to {email} only.',
    'Vous recevez un lien qui fixe un nouveau mot de passe, une fois. Ne le donnez qu’à {email}.',
  ],
  link: ['Link, shown once', 'Lien, montré une seule fois'],
  start: ['Enter an address', 'Saisissez une adresse'],
} as const;

type User = Operator['UserList']['data'][number];

export function Users() {
  const texts = useTexts(TEXTS);
  const [email, setEmail] = useState('');
  const [link, setLink] = useState<string>();
  const query = useQuery({
    queryKey: ['users', email],
    enabled: email !== '',
    queryFn: () => answerOf(operator.GET('/operator/v1/users', { params: { query: { email } } })),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setEmail(String(new FormData(event.currentTarget).get('email') ?? '').trim());
  };
  return (
    <>
      <PageTitle title={texts.title}>
        <Invite onToken={(token) => setLink(linkTo(`/app#/signup?invitation=${token}`))} />
      </PageTitle>
      <Paper withBorder p="md" mb="md" component="form" role="search" onSubmit={submit}>
        <Group align="end">
          <TextInput name="email" type="email" label={texts.email} required miw={280} />
          <Button type="submit">{texts.find}</Button>
        </Group>
      </Paper>
      <ShownOnce text={texts.link} value={link} />
      {email === '' ? (
        <Paper withBorder>
          <Empty title={texts.start} />
        </Paper>
      ) : (
        <Loaded query={query}>
          {({ data }) => (
            <Found
              users={data}
              onReset={(token) => setLink(linkTo(`/account/reset-password#token=${token}`))}
            />
          )}
        </Loaded>
      )}
    </>
  );
}

const linkTo = (path: string) => location.origin + path;

function Invite({ onToken }: { onToken: (token: string) => void }) {
  const texts = useTexts(TEXTS);
  return (
    <FormButton
      label={texts.invite}
      onSubmit={async ({ email = '' }) => {
        const body = { email };
        const invitation = await answerOf(operator.POST('/operator/v1/invitations', { body }));
        onToken(invitation.invitation_token);
      }}
    >
      <Text size="sm">{texts.inviteHelp}</Text>
      <TextInput name="email" type="email" label={texts.email} required />
    </FormButton>
  );
}

function Found({ users, onReset }: { users: readonly User[]; onReset: (token: string) => void }) {
  const texts = useTexts(TEXTS);
  return (
    <Rows
      isCards
      rows={users}
      idOf={(user) => user.user_id}
      label={texts.title}
      empty={<Empty title={texts.none} />}
      columns={[
        {
          title: texts.user,
          of: ({ email, name, email_confirmed: isConfirmed }) => (
            <>
              <Text size="sm" fw={500}>
                {email}
              </Text>
              <Text size="xs" c="dimmed">
                {[name, isConfirmed ? texts.confirmed : texts.unconfirmed]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </>
          ),
        },
        {
          title: texts.role,
          of: ({ operator: isOperator }) => (isOperator ? texts.operator : texts.usual),
        },
        { title: texts.workspaces, of: ({ workspaces }) => <Workspaces of={workspaces} /> },
        { title: '', isAction: true, of: (user) => <Actions user={user} onReset={onReset} /> },
      ]}
    />
  );
}

function Workspaces({ of }: { of: User['workspaces'] }) {
  return (
    <Stack gap={4}>
      {of.map(({ workspace_id: id, role }) => (
        <Text key={id} size="sm">
          <Anchor component={Link} to={`/operator/workspaces/${id}`} className="code">
            {id}
          </Anchor>{' '}
          ({role})
        </Text>
      ))}
    </Stack>
  );
}

function Actions({
  user: { user_id: id, email, operator: isOperator },
  onReset,
}: {
  user: User;
  onReset: (token: string) => void;
}) {
  const texts = useTexts(TEXTS);
  const call = { params: { path: { id } } };
  return (
    <Stack gap="xs" align="flex-start">
      {isOperator ? (
        <Ask
          label={texts.dismiss}
          question={fill(texts.dismissAsk, { email })}
          color="red"
          onConfirm={() => answerOf(operator.DELETE('/operator/v1/users/{id}/operator', call))}
        />
      ) : (
        <Ask
          label={texts.appoint}
          question={fill(texts.appointAsk, { email })}
          onConfirm={() => answerOf(operator.PUT('/operator/v1/users/{id}/operator', call))}
        />
      )}
      <Ask
        label={texts.reset}
        question={fill(texts.resetAsk, { email })}
        onConfirm={async () => {
          const reset = await answerOf(
            operator.POST('/operator/v1/users/{id}/password-reset', call),
          );
          onReset(reset.reset_token);
        }}
      />
    </Stack>
  );
}
