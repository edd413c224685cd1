import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, type Dashboard, dashboard } from '../api/client';
import { ErrorNote, Form, useAction } from '../parts/act';
import { RightsFields, rightsOf } from '../parts/keys';
import { Facts, Moment } from '../parts/show';
import { Loaded, PageTitle } from '../parts/states';
import { useMember } from '../session';
import { useTexts } from '../texts';

const TEXTS = {
  title: ['Log a program in', 'Connecter un programme'],
  code: ['Code that your terminal shows', 'Code affiché par votre terminal'],
  next: ['Continue', 'Continuer'],
  warning: [
    'Confirm only if your own terminal shows this code. The program gets a key of this workspace.',
    'Ne confirmez que si votre propre terminal affiche ce code. Le programme reçoit une clé de cet espace de travail.',
  ],
  program: ['Program', 'Programme'],
  from: ['Address', 'Adresse'],
  since: ['Started', 'Commencé'],
  workspace: ['Workspace', 'Espace de travail'],
  approve: ['Confirm', 'Confirmer'],
  deny: ['Deny', 'Refuser'],
  approved: [
    'Done. Go back to your terminal. The key is in the list under “Developers”, where you can revoke it.',
    'Terminé. Retournez à votre terminal. La clé figure sous « Développeurs », où vous pouvez la révoquer.',
  ],
  denied: ['Denied. The program gets no key.', 'Refusé. Le programme ne reçoit pas de clé.'],
} as const;

type LogIn = Dashboard['DeviceLogIn'];

export function TypeCode() {
  const texts = useTexts(TEXTS);
  const navigate = useNavigate();
  return (
    <>
      <PageTitle title={texts.title} />
      <Form
        submitLabel={texts.next}
        onSubmit={({ code = '' }) =>
          navigate({ to: '/device/$code', params: { code: code.trim().replaceAll(/\s/g, '-') } })
        }
        onDone={() => undefined}
      >
        <TextInput name="code" label={texts.code} required maxLength={20} autoComplete="off" />
      </Form>
    </>
  );
}

export function ConfirmDevice() {
  const texts = useTexts(TEXTS);
  const { code = '' } = useParams({ strict: false });
  const [outcome, setOutcome] = useState<'approved' | 'denied'>();
  const query = useQuery({
    queryKey: ['device', code],
    enabled: outcome === undefined,
    retry: false,
    queryFn: () =>
      answerOf(
        dashboard.GET('/dashboard/device-logins', { params: { query: { user_code: code } } }),
      ),
  });
  return (
    <>
      <PageTitle title={texts.title} />
      {outcome ? (
        <Text role="status">{texts[outcome]}</Text>
      ) : (
        <Loaded query={query}>{(logIn) => <Confirm logIn={logIn} onDone={setOutcome} />}</Loaded>
      )}
    </>
  );
}

function Confirm({
  logIn,
  onDone,
}: {
  logIn: LogIn;
  onDone: (outcome: 'approved' | 'denied') => void;
}) {
  const texts = useTexts(TEXTS);
  const { workspace } = useMember();
  const { user_code } = logIn;
  const deny = useAction(() =>
    answerOf(dashboard.POST('/dashboard/device-logins/deny', { body: { user_code } })),
  );
  const facts = [
    [texts.program, logIn.client_name],
    [texts.from, logIn.client_ip],
    [texts.since, <Moment key="since" at={logIn.created_at} />],
    [texts.workspace, workspace.name],
  ] as const;
  return (
    <Paper withBorder p="md" maw={520}>
      <Stack>
        <Text size="xl" fw={700} className="code">
          {user_code}
        </Text>
        <Text size="sm">{texts.warning}</Text>
        <Facts facts={facts} />
        <Approve userCode={user_code} onDone={() => onDone('approved')} />
        <ErrorNote error={deny.error} />
        <Group>
          <Button
            variant="default"
            loading={deny.isPending}
            onClick={() => deny.mutate(undefined, { onSuccess: () => onDone('denied') })}
          >
            {texts.deny}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

function Approve({ userCode, onDone }: { userCode: string; onDone: () => void }) {
  const texts = useTexts(TEXTS);
  return (
    <Form
      submitLabel={texts.approve}
      onSubmit={(rights) =>
        answerOf(
          dashboard.POST('/dashboard/device-logins/approve', {
            body: { user_code: userCode, ...rightsOf(rights) },
          }),
        )
      }
      onDone={onDone}
    >
      <RightsFields />
    </Form>
  );
}
