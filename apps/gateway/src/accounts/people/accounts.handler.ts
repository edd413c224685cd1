import {
  ApiError,
  type Clock,
  ERROR_MESSAGES,
  type LogInBody,
  type SignUpBody,
} from '@watchword/contracts';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import {
  BILLING_COUNTRY_DEFAULT,
  type CreateWorkspaceHandler,
} from '../workspaces/create-workspace.handler.js';
import { checkCountry } from '../settings/workspace-settings.policy.js';
import { accountEmail, type Member, type User } from './account.js';
import type { InvitationStore } from './invitation.store.js';
import type { PasswordHasher } from './password-hasher.js';
import { tokenHash } from './session-token.js';
import { EmailTaken, type NewUser, type UserStore } from './user.store.js';

const TRIAL_CREDITS = 10;

/** How people come to a workspace: with a new one, by invitation, or back into one of theirs. */
export class AccountsHandler {
  constructor(
    private readonly database: DatabasePool,
    private readonly users: UserStore,
    private readonly invitations: InvitationStore,
    private readonly passwords: PasswordHasher,
    private readonly creating: CreateWorkspaceHandler,
    private readonly clock: Clock,
  ) {}

  /**
   * The hash is made whether or not the address is free, and the address is looked at only then:
   * nobody is answered faster.
   */
  async signUp(body: SignUpBody): Promise<Member> {
    const email = accountEmail(body.email);
    if (body.billing_country !== undefined) checkCountry(body.billing_country, 'billing_country');
    const passwordHash = await this.passwords.hash(body.password);
    if (await this.users.findByEmail(email)) throw emailTaken();
    const name = body.name ?? (email.split('@', 1)[0] as string);
    const newcomer = { email, name, passwordHash };
    const { invitation_token: token } = body;
    try {
      if (token === undefined) return await this.signUpAlone(newcomer, body);
      return await this.database.transaction(async (transaction) => {
        const user = await this.users.within(transaction).insert(newcomer);
        return this.acceptInvitation(user, token, transaction);
      });
    } catch (error) {
      throw error instanceof EmailTaken ? emailTaken() : error;
    }
  }

  async logIn(body: LogInBody): Promise<Member> {
    const email = accountEmail(body.email);
    const user = await this.users.findByEmail(email);
    const isRight = await this.passwords.matches(body.password, user?.passwordHash ?? null);
    if (!user || !isRight) throw wrongCredentials();
    const { invitation_token: token } = body;
    if (token !== undefined) {
      return this.database.transaction((transaction) =>
        this.acceptInvitation(user, token, transaction),
      );
    }
    const member = await this.users.findMember(user.id, body.workspace_id ?? null);
    if (member) return member;
    throw new ApiError('validation_error', {
      field: 'workspace_id',
      message: ERROR_MESSAGES.foreignWorkspace,
    });
  }

  private async signUpAlone(newcomer: NewUser, body: SignUpBody): Promise<Member> {
    let user: User | undefined;
    const { workspace } = await this.creating.create(
      {
        name: body.workspace_name ?? newcomer.name,
        billingCountry: body.billing_country ?? BILLING_COUNTRY_DEFAULT,
        credits: TRIAL_CREDITS,
        creditsKind: 'trial',
        settings: {},
      },
      async (transaction, workspaceId) => {
        const users = this.users.within(transaction);
        user = await users.insert(newcomer);
        await users.join(user.id, workspaceId, 'owner');
      },
    );
    return this.memberOf(user as User, workspace.id, this.users);
  }

  private async acceptInvitation(
    user: User,
    token: string,
    transaction: Queryable,
  ): Promise<Member> {
    const at = new Date(this.clock.now());
    const hashed = tokenHash(token);
    const invitation = await this.invitations.accept(hashed, user.email, at, transaction);
    if (!invitation) {
      throw new ApiError('validation_error', {
        field: 'invitation_token',
        message: ERROR_MESSAGES.badInvitation,
      });
    }
    const { workspaceId, role } = invitation;
    const users = this.users.within(transaction);
    await users.join(user.id, workspaceId, role);
    return this.memberOf(user, workspaceId, users);
  }

  private async memberOf(user: User, workspaceId: string, users: UserStore): Promise<Member> {
    const member = await users.findMember(user.id, workspaceId);
    if (!member) throw new Error(`user ${user.id} has not joined workspace ${workspaceId}`);
    return member;
  }
}

function wrongCredentials(): ApiError {
  return new ApiError('authentication_error', {
    message: ERROR_MESSAGES.wrongLogIn,
  });
}

function emailTaken(): ApiError {
  return new ApiError('conflict', {
    field: 'email',
    message: ERROR_MESSAGES.accountExists,
  });
}
