import { randomBytes } from 'node:crypto';
import {
  ApiError,
  billingCalls,
  OPERATIONS,
  newId,
  PLATFORM_WORKSPACE_ID,
  type WorkspaceId,
} from '@watchword/contracts';
import type { Platform } from '@watchword/platform';
import { offerLogInLink } from '../people/log-in-link.js';
import { PasswordHasher } from '../people/password-hasher.js';
import { UserStore } from '../people/user.store.js';
import { ApiKeyStore } from '../accounts/keys/api-key.store.js';
import { issueToken } from '../accounts/keys/api-token.js';
import { isUnavailable, onceAvailable } from '@watchword/platform';
import { CreateWorkspaceHandler } from '../accounts/workspaces/create-workspace.handler.js';
import { WorkspaceStore } from '../accounts/workspaces/workspace.store.js';
import { storedAddress, parseMailbox } from '@watchword/email';
import { DEMO_DOMAIN, type DomainOwner, ensureSimulatedDomain } from './demo-domain.js';

/** The workspace of an embedded installation. */
export interface DemoWorkspace {
  workspaceId: WorkspaceId;
  liveKey: string;
  testKey: string;
  /** Address of its owner, for the log-in to the dashboard. */
  email: string;
  password: string;
}

const CREDITS = 10_000;
/** Milliseconds after which a start continues without the domain, when dispatch is unavailable. */
const DOMAIN_TIMEOUT_MS = 2_000;

/**
 * The first-run data. Ids and keys are drawn first, so that the host can store them in a file; then
 * the workspace is created. Every start may repeat it.
 */
export const demoSeed = {
  draw(): DemoWorkspace {
    return {
      workspaceId: newId(),
      liveKey: issueToken('live').token,
      testKey: issueToken('test').token,
      email: 'demo@example.com',
      password: randomBytes(12).toString('base64url'),
    };
  },

  /** Returns a token that logs in the owner once. */
  offerLogIn({ email, workspaceId }: DemoWorkspace, platform: Platform): string {
    return offerLogInLink(platform, { email, workspaceId });
  },

  async ensure(demo: DemoWorkspace, platform: Platform, simulatorUrl?: string): Promise<void> {
    const { database, rpc } = platform;
    const { pool } = database;
    const creating = new CreateWorkspaceHandler(
      rpc.client(billingCalls),
      new WorkspaceStore(pool),
      new ApiKeyStore(pool),
    );
    const workspace = {
      name: 'Demo',
      billingCountry: 'NG',
      credits: CREDITS,
      creditsKind: 'bonus' as const,
      origin: 'operator' as const,
      settings: {},
    };
    const keys = { id: demo.workspaceId, liveKey: demo.liveKey, testKey: demo.testKey };
    await onceAvailable(() => creating.createWithKeys(workspace, keys));
    // Together: a first start hashes a password and makes keys of domains.
    await Promise.all([
      ensureOwner(demo, new UserStore(pool)),
      simulatorUrl === undefined ? undefined : ensureDomains(demo, platform, simulatorUrl),
    ]);
  },
};

async function ensureDomains(
  demo: DemoWorkspace,
  { config, logger, rpc }: Platform,
  simulatorUrl: string,
): Promise<void> {
  const dispatch = rpc.client(OPERATIONS.dispatch);
  const ensure = (owner: DomainOwner) =>
    onceAvailable(() => ensureSimulatedDomain(owner, dispatch, simulatorUrl), DOMAIN_TIMEOUT_MS);
  try {
    await Promise.all(domainsOf(demo, config.platformEmailFrom).map(ensure));
  } catch (error) {
    const isRefused = error instanceof ApiError;
    if (!isRefused && !isUnavailable(error)) throw error;
    const problem = isRefused
      ? `a domain is refused (${error.message})`
      : 'dispatch is unavailable';
    logger.warn(`${problem}: ${DEMO_DOMAIN} sends email after the next start`);
  }
}

/** Returns the domains of the demo workspace and of account emails. */
function domainsOf({ workspaceId }: DemoWorkspace, platformEmailFrom: string): DomainOwner[] {
  const demo = { workspaceId, name: DEMO_DOMAIN };
  const parsed = parseMailbox(platformEmailFrom);
  if (!parsed.ok) return [demo];
  const name = parsed.mailbox.address.split('@').at(-1) ?? '';
  return [demo, { workspaceId: PLATFORM_WORKSPACE_ID, name }];
}

/** Sets the password of the file, even if the account is older than the file. */
async function ensureOwner(demo: DemoWorkspace, users: UserStore): Promise<void> {
  const passwords = new PasswordHasher();
  const email = storedAddress(demo.email);
  const known = await users.findByEmail(email);
  if (known && !(await passwords.matches(demo.password, known.passwordHash))) {
    await users.setPassword(known.id, await passwords.hash(demo.password));
  }
  const { id } =
    known ??
    (await users.insert({
      email,
      name: 'Demo',
      passwordHash: await passwords.hash(demo.password),
    }));
  await users.join(id, demo.workspaceId, 'owner');
}
