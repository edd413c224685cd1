import { useTexts } from '../texts';
import { type Page, PagedRows } from './list';
import { Moment } from './show';
import { Empty } from './states';

const TEXTS = {
  audit: ['Audit', 'Audit'],
  time: ['Time', 'Heure'],
  actor: ['Who', 'Qui'],
  operator: ['Operator', 'Opérateur de la plateforme'],
  call: ['Call', 'Appel'],
  status: ['Answer', 'Réponse'],
  effect: ['Effect', 'Effet'],
  address: ['Address', 'Adresse'],
  none: ['Nothing was recorded yet', 'Rien n’a encore été enregistré'],
} as const;

interface Entry {
  id: string;
  actor: { type: string; email?: string | null };
  method: string;
  path: string;
  status: number | null;
  effect: Record<string, unknown> | null;
  client_ip: string | null;
  created_at: string;
}

export function AuditRows({
  queryKey,
  read,
}: {
  queryKey: readonly unknown[];
  read: (cursor: string | undefined) => Promise<Page<Entry>>;
}) {
  const texts = useTexts(TEXTS);
  return (
    <PagedRows
      isCards
      queryKey={queryKey}
      read={read}
      idOf={({ id }) => id}
      label={texts.audit}
      empty={<Empty title={texts.none} />}
      columns={[
        { title: texts.time, of: ({ created_at: at }) => <Moment at={at} /> },
        { title: texts.actor, of: ({ actor }) => actor.email ?? texts.operator },
        {
          title: texts.call,
          of: ({ method, path }) => (
            <span className="code">
              {method} {path}
            </span>
          ),
        },
        { title: texts.status, of: ({ status }) => status ?? '—', isNumber: true },
        {
          title: texts.effect,
          of: ({ effect }) =>
            effect &&
            Object.keys(effect).length > 0 && (
              <span className="code">{JSON.stringify(effect)}</span>
            ),
          isWide: true,
        },
        { title: texts.address, of: ({ client_ip: ip }) => ip ?? '—', isWide: true },
      ]}
    />
  );
}
