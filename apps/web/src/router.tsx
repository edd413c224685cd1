import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Failed, NotFound } from './parts/states';
import { Shell } from './shell';

/** Opens a page's file when the page is opened. */
const page = lazyRouteComponent;

const root = createRootRoute({ notFoundComponent: NotFound });

const entry = <Path extends string>(path: Path, name: 'LogIn' | 'SignUp' | 'Forgot' | 'UseLink') =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: page(() => import('./pages/entry'), name),
  });

const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Shell });

const index = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview' });
  },
});

const at = <Path extends string>(path: Path, component: ReturnType<typeof page>) =>
  createRoute({ getParentRoute: () => inside, path, component });

const routeTree = root.addChildren([
  entry('/login', 'LogIn'),
  entry('/signup', 'SignUp'),
  entry('/forgot', 'Forgot'),
  entry('/link/$token', 'UseLink'),
  inside.addChildren([
    index,
    at(
      '/overview',
      page(() => import('./pages/overview'), 'Overview'),
    ),
    at(
      '/messages',
      page(() => import('./pages/messages'), 'Messages'),
    ),
    at(
      '/messages/$id',
      page(() => import('./pages/message'), 'Message'),
    ),
    at(
      '/playground',
      page(() => import('./pages/playground'), 'Playground'),
    ),
    at(
      '/money',
      page(() => import('./pages/money'), 'Money'),
    ),
    at(
      '/money/statements/$month',
      page(() => import('./pages/statement'), 'Statement'),
    ),
    at(
      '/webhooks',
      page(() => import('./pages/webhooks'), 'Webhooks'),
    ),
    at(
      '/webhooks/$id',
      page(() => import('./pages/webhook'), 'Webhook'),
    ),
    at(
      '/senders',
      page(() => import('./pages/senders'), 'Senders'),
    ),
    at(
      '/developers',
      page(() => import('./pages/developers'), 'Developers'),
    ),
    at(
      '/device',
      page(() => import('./pages/device'), 'TypeCode'),
    ),
    at(
      '/device/$code',
      page(() => import('./pages/device'), 'ConfirmDevice'),
    ),
    at(
      '/people',
      page(() => import('./pages/people'), 'People'),
    ),
    at(
      '/settings',
      page(() => import('./pages/settings'), 'Settings'),
    ),
    at(
      '/operator/messages',
      page(() => import('./pages/operator/messages'), 'Support'),
    ),
    at(
      '/operator/messages/$id',
      page(() => import('./pages/operator/message'), 'SupportMessage'),
    ),
    at(
      '/operator/workspaces',
      page(() => import('./pages/operator/workspaces'), 'Workspaces'),
    ),
    at(
      '/operator/workspaces/$id',
      page(() => import('./pages/operator/workspace'), 'Workspace'),
    ),
    at(
      '/operator/carriers',
      page(() => import('./pages/operator/carriers'), 'Carriers'),
    ),
    at(
      '/operator/sender-ids',
      page(() => import('./pages/operator/sender-ids'), 'Reviews'),
    ),
    at(
      '/operator/dead-letters',
      page(() => import('./pages/operator/dead-letters'), 'DeadLetters'),
    ),
    at(
      '/operator/payments',
      page(() => import('./pages/operator/payments'), 'Payments'),
    ),
    at(
      '/operator/prices',
      page(() => import('./pages/operator/prices'), 'Prices'),
    ),
    at(
      '/operator/users',
      page(() => import('./pages/operator/users'), 'Users'),
    ),
    at(
      '/operator/platform',
      page(() => import('./pages/operator/platform'), 'Platform'),
    ),
    at(
      '/operator/audit',
      page(() => import('./pages/operator/audit'), 'Audit'),
    ),
  ]),
]);

/** The place is after the `#`: the server has one page, and its logs do not say who looked at what. */
export const router = createRouter({
  routeTree,
  history: createHashHistory(),
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} onRetry={reset} />,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
