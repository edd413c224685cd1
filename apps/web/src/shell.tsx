import {
  ActionIcon,
  AppShell,
  Badge,
  Box,
  Burger,
  Group,
  Menu,
  NavLink,
  SegmentedControl,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsFetching, useMutation } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { answerOf, dashboard } from './api/client';
import { useStream } from './live';
import { Go } from './parts/go';
import { Failed, Loading } from './parts/states';
import { type Session, useLogOut, useMode, useSession } from './session';
import { useFormats, useLanguage, useTexts } from './texts';
import { handset, simulatorPage } from './page-meta';

const TEXTS = {
  skip: ['Skip to the content', 'Aller au contenu'],
  menu: ['Menu', 'Menu'],
  mode: ['Mode', 'Mode'],
  live: ['Live', 'Réel'],
  test: ['Test', 'Test'],
  credits: ['credits', 'crédits'],
  logOut: ['Log out', 'Se déconnecter'],
  account: ['Account', 'Compte'],
  confirmEmail: ['Email me a confirmation link', 'M’envoyer un lien de confirmation'],
  confirmationSent: ['A link is on its way', 'Un lien est en route'],
  light: ['Light colours', 'Couleurs claires'],
  dark: ['Dark colours', 'Couleurs sombres'],
  other: ['FR: Français', 'EN: English'],
  suspended: ['Suspended', 'Suspendu'],
  overview: ['Overview', 'Vue d’ensemble'],
  messages: ['Messages', 'Messages'],
  playground: ['Playground', 'Essais'],
  money: ['Money', 'Argent'],
  webhooks: ['Webhooks', 'Webhooks'],
  senders: ['Senders and lists', 'Expéditeurs et listes'],
  developers: ['Developers', 'Développeurs'],
  people: ['People', 'Personnes'],
  settings: ['Settings', 'Réglages'],
  handset: ['Handset (simulator)', 'Téléphone (simulateur)'],
  mailbox: ['Mailbox (simulator)', 'Courrier (simulateur)'],
  operator: ['Platform', 'Plateforme'],
  support: ['Support', 'Assistance'],
  workspaces: ['Workspaces', 'Espaces de travail'],
  carriers: ['Carriers', 'Fournisseurs SMS'],
  reviews: ['Sender ID reviews', 'Examen des expéditeurs'],
  deadLetters: ['Dead letters', 'Messages morts'],
  payments: ['Payments', 'Paiements'],
  prices: ['Prices', 'Prix'],
  users: ['Users', 'Utilisateurs'],
  platformSettings: ['Platform settings', 'Réglages de la plateforme'],
  audit: ['Audit', 'Audit'],
  allWorkspaces: ['All workspaces', 'Tous les espaces'],
} as const;

type Name = keyof typeof TEXTS;

const PAGES: readonly (readonly [string, Name])[] = [
  ['/overview', 'overview'],
  ['/messages', 'messages'],
  ['/playground', 'playground'],
  ['/money', 'money'],
  ['/webhooks', 'webhooks'],
  ['/senders', 'senders'],
  ['/developers', 'developers'],
  ['/people', 'people'],
  ['/settings', 'settings'],
];

const OPERATOR_PAGES: readonly (readonly [string, Name])[] = [
  ['/operator/messages', 'support'],
  ['/operator/workspaces', 'workspaces'],
  ['/operator/carriers', 'carriers'],
  ['/operator/sender-ids', 'reviews'],
  ['/operator/dead-letters', 'deadLetters'],
  ['/operator/payments', 'payments'],
  ['/operator/prices', 'prices'],
  ['/operator/users', 'users'],
  ['/operator/platform', 'platformSettings'],
  ['/operator/audit', 'audit'],
];

/** The frame of every page behind the log-in. */
export function Shell() {
  const session = useSession();
  const { pathname } = useLocation();
  if (session.data) return <Frame session={session.data} />;
  if (session.data === null) return <Go to="/login" next={pathname} />;
  if (session.isError)
    return <Failed error={session.error} onRetry={() => void session.refetch()} />;
  return <Loading />;
}

function Frame({ session }: { session: Session }) {
  const texts = useTexts(TEXTS);
  useStream(session.workspace.workspace_id);
  const isBusy = useIsFetching() > 0;
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const { mode } = useMode();
  const { pathname } = useLocation();
  const isOperating = pathname.startsWith('/operator/');
  const accent = isOperating ? '#b23a0a' : mode === 'test' ? 'yellow.5' : 'indigo.8';
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a href="#content" className="skip" onClick={skipToContent}>
        {texts.skip}
      </a>
      <AppShell.Header>
        <Box h={4} bg={accent} />
        <Group h={55} px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group wrap="nowrap" gap="sm" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={texts.menu}
            />
            <Text fw={700} visibleFrom="md">
              Watchword
            </Text>
            <WorkspaceName session={session} isOperating={isOperating} />
          </Group>
          <Group wrap="nowrap" gap="xs">
            {!isOperating && <ModeSwitch />}
            <AccountMenu session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={texts.menu} style={{ overflowY: 'auto' }}>
        <Pages isOperator={session.user.operator} onFollow={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} aria-busy={isBusy}>
        <Box maw={1180} mx="auto">
          <Outlet />
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

/** The hash of the address is the page, so a usual link would leave it. */
function skipToContent(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

function WorkspaceName({ session, isOperating }: { session: Session; isOperating: boolean }) {
  const texts = useTexts(TEXTS);
  const { number } = useFormats();
  const { name, balance, suspended } = session.workspace;
  return (
    <Box miw={0}>
      <Text size="sm" fw={600} truncate>
        {isOperating ? texts.allWorkspaces : name}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {isOperating ? texts.operator : `${number(balance)} ${texts.credits}`}
        {suspended && !isOperating ? ` · ${texts.suspended}` : ''}
      </Text>
    </Box>
  );
}

function ModeSwitch() {
  const texts = useTexts(TEXTS);
  const { mode, setMode } = useMode();
  return (
    <SegmentedControl
      size="xs"
      aria-label={texts.mode}
      value={mode}
      onChange={(value) => setMode(value === 'test' ? 'test' : 'live')}
      data={[
        { value: 'live', label: texts.live },
        { value: 'test', label: texts.test },
      ]}
    />
  );
}

function Pages({ isOperator, onFollow }: { isOperator: boolean; onFollow: () => void }) {
  const texts = useTexts(TEXTS);
  const { pathname } = useLocation();
  const link = ([to, name]: readonly [string, Name]) => (
    <NavLink
      key={to}
      component={Link}
      to={to}
      label={texts[name]}
      active={pathname === to || pathname.startsWith(`${to}/`)}
      aria-current={pathname === to ? 'page' : undefined}
      color={to.startsWith('/operator') ? '#b23a0a' : 'indigo'}
      variant="filled"
      onClick={onFollow}
    />
  );
  return (
    <>
      {PAGES.map(link)}
      {handset !== '' && (
        <>
          <NavLink
            href={simulatorPage('handset')}
            target="_blank"
            rel="noreferrer"
            label={texts.handset}
          />
          <NavLink
            href={simulatorPage('mailbox')}
            target="_blank"
            rel="noreferrer"
            label={texts.mailbox}
          />
        </>
      )}
      {isOperator && (
        <>
          <Group mt="md" mb={4} px="sm">
            <Badge color="#b23a0a">{texts.operator}</Badge>
          </Group>
          {OPERATOR_PAGES.map(link)}
        </>
      )}
    </>
  );
}

function AccountMenu({ session }: { session: Session }) {
  const texts = useTexts(TEXTS);
  const logOut = useLogOut();
  return (
    <>
      <Box visibleFrom="sm">
        <Preferences />
      </Box>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <UnstyledButton aria-label={`${texts.account}: ${session.user.email}`} p={4}>
            <ActionIcon component="span" radius="xl" size="lg" variant="filled">
              {session.user.email.slice(0, 1).toUpperCase()}
            </ActionIcon>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{session.user.email}</Menu.Label>
          <Box hiddenFrom="sm" px="sm" py="xs">
            <Preferences />
          </Box>
          {!session.user.email_confirmed && <ConfirmEmail />}
          <Menu.Item onClick={() => void logOut()}>{texts.logOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function ConfirmEmail() {
  const texts = useTexts(TEXTS);
  const sending = useMutation({
    mutationFn: () => answerOf(dashboard.POST('/auth/email/confirmation')),
  });
  return (
    <Menu.Item closeMenuOnClick={false} onClick={() => sending.mutate()}>
      {sending.isSuccess ? texts.confirmationSent : texts.confirmEmail}
      {sending.isError && (
        <Text size="xs" role="alert">
          {sending.error.message}
        </Text>
      )}
    </Menu.Item>
  );
}

/** Language and colours. */
export function Preferences() {
  const texts = useTexts(TEXTS);
  const { language, setLanguage } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark =
    colorScheme === 'dark' ||
    (colorScheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="default"
        size="lg"
        lang={language === 'en' ? 'fr' : 'en'}
        aria-label={texts.other}
        onClick={() => setLanguage(language === 'en' ? 'fr' : 'en')}
      >
        <Text size="xs" fw={600}>
          {language === 'en' ? 'FR' : 'EN'}
        </Text>
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={isDark ? texts.light : texts.dark}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      >
        <span aria-hidden>{isDark ? '☀' : '☾'}</span>
      </ActionIcon>
    </Group>
  );
}
