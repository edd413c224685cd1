import {
  Anchor,
  Center,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { answerOf, dashboard } from '../api/client';
import { ErrorNote, Form } from '../parts/act';
import { Go } from '../parts/go';
import { Loading } from '../parts/states';
import { useEnter, useSession } from '../session';
import { Preferences } from '../shell';
import { useTexts } from '../texts';

const TEXTS = {
  logIn: ['Log in', 'Se connecter'],
  signUp: ['Create an account', 'Créer un compte'],
  email: ['Email', 'Adresse e-mail'],
  password: ['Password', 'Mot de passe'],
  passwordHelp: ['12 characters or more.', '12 caractères ou plus.'],
  name: ['Your name', 'Votre nom'],
  workspace: ['Name of the workspace', 'Nom de l’espace de travail'],
  country: ['Billing country', 'Pays de facturation'],
  countryHelp: ['Two letters, for example NG.', 'Deux lettres, par exemple NG.'],
  invitation: ['Invitation token, if you have one', 'Jeton d’invitation, si vous en avez un'],
  forgot: ['Forgot your password?', 'Mot de passe oublié ?'],
  forgotTitle: ['Reset your password', 'Réinitialiser le mot de passe'],
  forgotSent: [
    'If the address has an account, an email with a link is on its way.',
    'Si un compte existe pour cette adresse, un e-mail avec un lien est en route.',
  ],
  send: ['Send the link', 'Envoyer le lien'],
  haveAccount: ['I have an account', 'J’ai déjà un compte'],
} as const;

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420}>
        <Stack>
          <Group justify="space-between">
            <Text fw={700}>Watchword</Text>
            <Preferences />
          </Group>
          <Title order={1}>{title}</Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}

const PATH = /^\/[\w/-]*$/;

function useNext(): string {
  const { next } = useSearch({ strict: false }) as { next?: string };
  return next !== undefined && PATH.test(next) ? next : '/overview';
}

export function LogIn() {
  const texts = useTexts(TEXTS);
  const enter = useEnter();
  const session = useSession();
  const next = useNext();
  if (session.data) return <Go to={next} />;
  return (
    <Card title={texts.logIn}>
      <Form
        submitLabel={texts.logIn}
        onSubmit={async ({ email = '', password = '', ...rest }) =>
          enter(
            await answerOf(dashboard.POST('/auth/login', { body: { email, password, ...rest } })),
          )
        }
      >
        <TextInput name="email" type="email" label={texts.email} required autoComplete="username" />
        <PasswordInput
          name="password"
          label={texts.password}
          required
          autoComplete="current-password"
        />
      </Form>
      <Group justify="space-between">
        <Anchor component={Link} to="/forgot" size="sm">
          {texts.forgot}
        </Anchor>
        <Anchor component={Link} to="/signup" size="sm">
          {texts.signUp}
        </Anchor>
      </Group>
    </Card>
  );
}

export function SignUp() {
  const texts = useTexts(TEXTS);
  const enter = useEnter();
  const session = useSession();
  const { invitation, email: invited } = useSearch({ strict: false }) as Record<
    string,
    string | undefined
  >;
  if (session.data) return <Go to="/overview" />;
  return (
    <Card title={texts.signUp}>
      <Form
        submitLabel={texts.signUp}
        onSubmit={async ({ email = '', password = '', ...rest }) =>
          enter(
            await answerOf(dashboard.POST('/auth/signup', { body: { email, password, ...rest } })),
          )
        }
      >
        <TextInput
          name="email"
          type="email"
          label={texts.email}
          required
          autoComplete="username"
          defaultValue={invited}
        />
        <PasswordInput
          name="password"
          label={texts.password}
          description={texts.passwordHelp}
          required
          autoComplete="new-password"
        />
        <TextInput name="name" label={texts.name} autoComplete="name" />
        {invitation === undefined && (
          <>
            <TextInput name="workspace_name" label={texts.workspace} autoComplete="organization" />
            <TextInput
              name="billing_country"
              label={texts.country}
              description={texts.countryHelp}
              maxLength={2}
            />
          </>
        )}
        <TextInput name="invitation_token" label={texts.invitation} defaultValue={invitation} />
      </Form>
      <Anchor component={Link} to="/login" size="sm">
        {texts.haveAccount}
      </Anchor>
    </Card>
  );
}

export function Forgot() {
  const texts = useTexts(TEXTS);
  const [isSent, setSent] = useState(false);
  return (
    <Card title={texts.forgotTitle}>
      {isSent ? (
        <Text role="status">{texts.forgotSent}</Text>
      ) : (
        <Form
          submitLabel={texts.send}
          onSubmit={({ email = '' }) =>
            answerOf(dashboard.POST('/auth/password/forgot', { body: { email } }))
          }
          onDone={() => setSent(true)}
        >
          <TextInput
            name="email"
            type="email"
            label={texts.email}
            required
            autoComplete="username"
          />
        </Form>
      )}
      <Anchor component={Link} to="/login" size="sm">
        {texts.logIn}
      </Anchor>
    </Card>
  );
}

/** The link that `npm start` prints. */
export function UseLink() {
  const texts = useTexts(TEXTS);
  const { token = '' } = useParams({ strict: false });
  const enter = useEnter();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const isUsed = useRef(false);
  useEffect(() => {
    // The token works once, and strict mode runs effects twice.
    if (isUsed.current) return;
    isUsed.current = true;
    answerOf(dashboard.POST('/auth/link', { body: { token } })).then(
      (session) => {
        enter(session);
        void navigate({ to: '/overview', replace: true });
      },
      (refusal: unknown) => setError(refusal),
    );
  });
  return (
    <Card title={texts.logIn}>
      {error ? <ErrorNote error={error} /> : <Loading />}
      {error !== undefined && (
        <Anchor component={Link} to="/login" size="sm">
          {texts.logIn}
        </Anchor>
      )}
    </Card>
  );
}
