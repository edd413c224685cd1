import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { answerOf, context, type Dashboard, dashboard, type Mode, Refusal } from './api/client';
import { hadNoSession } from './page-meta';

export type Session = Dashboard['Session'];

export const SESSION_KEY = ['session'];

interface Modes {
  mode: Mode;
  setMode: (mode: Mode) => void;
}

const STORED = 'mode';
const ModeContext = createContext<Modes>({ mode: 'live', setMode: () => undefined });

/** The session, or null where nobody is logged in. */
export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: readSession,
    staleTime: 30_000,
    refetchOnWindowFocus: 'always',
  });
}

let isFirstRead = true;

async function readSession(): Promise<Session | null> {
  const isLoggedOut = isFirstRead && hadNoSession;
  isFirstRead = false;
  if (isLoggedOut) return null;
  try {
    return keep(await answerOf(dashboard.GET('/auth/me')));
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null;
    throw error;
  }
}

/** Stores what later calls send. */
export function keep(session: Session): Session {
  context.csrfToken = session.csrf_token;
  return session;
}

export function useEnter(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => {
    forgetAnswers(client);
    client.setQueryData(SESSION_KEY, keep(session));
  };
}

/** What another member has read is not shown. The session itself stays, because pages observe it. */
function forgetAnswers(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
}

export function useLogOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await dashboard.POST('/auth/logout');
    client.setQueryData(SESSION_KEY, null);
    forgetAnswers(client);
  };
}

/** The member. Only for pages behind the log-in. */
export function useMember(): Session {
  const { data } = useSession();
  if (!data) throw new Error('This page was opened without a session.');
  return data;
}

export function ModeProvider({ children }: { children: ReactNode }) {
  const [mode, setMode] = useState<Mode>(localStorage.getItem(STORED) === 'test' ? 'test' : 'live');
  context.mode = mode;
  const value = useMemo(
    () => ({
      mode,
      setMode: (next: Mode) => {
        localStorage.setItem(STORED, next);
        setMode(next);
      },
    }),
    [mode],
  );
  return <ModeContext value={value}>{children}</ModeContext>;
}

export function useMode(): Modes {
  return useContext(ModeContext);
}
