import { Select, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dashboard, Mode } from '../api/client';
import { useTexts } from '../texts';
import { Ask } from './act';
import { useChoices } from './choices';
import { type Column, type Page, PagedRows } from './list';
import { Moment, Status } from './show';

export type Key = Dashboard['ApiKey'];
export type Permission = Key['permission'];

const PERMISSIONS = {
  full: ['Everything', 'Tout'],
  sending: ['Sending only', 'Envoi seulement'],
  otp: ['One-time passwords only', 'Codes à usage unique seulement'],
  agent: ['AI agents, with a budget', 'Agents d’IA, avec un budget'],
} as const;

const TEXTS = {
  ...PERMISSIONS,
  keys: ['API keys', 'Clés d’API'],
  key: ['Key', 'Clé'],
  mode: ['Mode', 'Mode'],
  permission: ['Permission', 'Permission'],
  made: ['Created', 'Créée'],
  by: ['By', 'Par'],
  revoke: ['Revoke', 'Révoquer'],
  revokeAsk: [
    'Programs with this key are refused at once.',
    'Les programmes avec cette clé sont refusés aussitôt.',
  ],
} as const;

/** The keys of a workspace, for its members and for operators. */
export function KeyList({
  queryKey,
  read,
  revoke,
  empty,
}: {
  queryKey: readonly unknown[];
  read: (cursor: string | undefined) => Promise<Page<Key>>;
  revoke: (id: string) => Promise<unknown>;
  empty: ReactNode;
}) {
  const texts = useTexts(TEXTS);
  const columns: readonly Column<Key>[] = [
    {
      title: texts.key,
      of: ({ name, prefix, last4 }) => (
        <>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <span className="code">
            {prefix}…{last4}
          </span>
        </>
      ),
    },
    { title: texts.mode, of: (key) => <Status of={key.revoked_at ? 'revoked' : key.mode} /> },
    { title: texts.permission, of: ({ permission }) => texts[permission], isWide: true },
    { title: texts.made, of: ({ created_at: at }) => <Moment at={at} />, isWide: true },
    { title: texts.by, of: ({ created_by: maker }) => maker?.email ?? '', isWide: true },
    {
      title: '',
      isAction: true,
      of: ({ key_id: id, revoked_at: revoked }) =>
        revoked === null && (
          <Ask
            label={texts.revoke}
            question={texts.revokeAsk}
            color="red"
            onConfirm={() => revoke(id)}
          />
        ),
    },
  ];
  const rest = { queryKey, read, empty, columns };
  return <PagedRows<Key> {...rest} idOf={({ key_id }) => key_id} label={texts.keys} />;
}

/** Fields `mode` and `permission` of a form that makes a key. `rightsOf` reads them. */
export function RightsFields({ mode = 'test' }: { mode?: Mode }) {
  const texts = useTexts(TEXTS);
  const choices = useChoices();
  return (
    <>
      <Select
        name="mode"
        label={texts.mode}
        data={choices('test', 'live')}
        defaultValue={mode}
        allowDeselect={false}
      />
      <Select
        name="permission"
        label={texts.permission}
        defaultValue="full"
        allowDeselect={false}
        data={(Object.keys(PERMISSIONS) as Permission[]).map((value) => ({
          value,
          label: texts[value],
        }))}
      />
    </>
  );
}

export function rightsOf({ mode, permission = 'full' }: Record<string, string>): {
  mode: Mode;
  permission: Permission;
} {
  return { mode: mode === 'live' ? 'live' : 'test', permission: permission as Permission };
}
