import '@mantine/core/styles.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Refusal } from './api/client';
import { router } from './router';
import { ModeProvider, SESSION_KEY } from './session';
import { LanguageProvider } from './texts';
import { nonce } from './page-meta';
import { theme, variables } from './theme';

/** The components that lock scrolling insert a style; this is where they look for a nonce. */
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;

const RETRIES_MAX = 2;

const client = new QueryClient({
  queryCache: new QueryCache({
    // A session that has ended leads to the log-in.
    onError: (error) => {
      if (error instanceof Refusal && error.status === 401) client.setQueryData(SESSION_KEY, null);
    },
  }),
  defaultOptions: {
    queries: {
      retry: (count, error) =>
        count < RETRIES_MAX && !(error instanceof Refusal && error.status < 500),
    },
  },
});

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <LanguageProvider>
          <ModeProvider>
            <RouterProvider router={router} />
          </ModeProvider>
        </LanguageProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
