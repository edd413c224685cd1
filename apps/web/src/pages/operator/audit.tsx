import { Button, Group, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { answerOf, operator } from '../../api/client';
import { AuditRows } from '../../parts/audit-rows';
import { PageTitle } from '../../parts/states';
import { useTexts } from '../../texts';

const TEXTS = {
  title: ['Audit', 'Audit'],
  workspace: ['Workspace ID', 'Identifiant de l’espace'],
  search: ['Search', 'Rechercher'],
} as const;

export function Audit() {
  const texts = useTexts(TEXTS);
  const navigate = useNavigate();
  const { workspace_id: workspace } = useSearch({ strict: false }) as { workspace_id?: string };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get('workspace_id') ?? '');
    void navigate({
      to: '/operator/audit',
      search: (id === '' ? {} : { workspace_id: id }) as never,
    });
  };
  return (
    <>
      <PageTitle title={texts.title} />
      <form role="search" onSubmit={submit}>
        <Group align="end" mb="md">
          <TextInput
            name="workspace_id"
            label={texts.workspace}
            defaultValue={workspace}
            key={workspace}
            w={340}
            maw="100%"
          />
          <Button type="submit">{texts.search}</Button>
        </Group>
      </form>
      <AuditRows
        queryKey={['platform-audit', workspace]}
        read={(cursor) => {
          const query = {
            limit: 20,
            ...(workspace && { workspace_id: workspace }),
            ...(cursor && { cursor }),
          };
          return answerOf(operator.GET('/operator/v1/audit', { params: { query } }));
        }}
      />
    </>
  );
}
