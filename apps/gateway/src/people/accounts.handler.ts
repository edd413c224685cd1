import { Inject, Injectable } from '@nestjs/common';
import type { SignUpRules } from '@watchword/config';
import {
  ApiError,
  type Clock,
  ERROR_MESSAGES,
  type Language,
  type LogInBody,
  type SignUpBody,
  type WorkspaceId,
} from '@watchword/contracts';
import { checkCountry, CLOCK, DATABASE } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { DailyLimits } from '../limits/daily-limits.js';
import {
  BILLING_COUNTRY_DEFAULT,
  CreateWorkspaceHandler,
} from '../accounts/workspaces/create-workspace.handler.js';
import { AccountEmails, type EmailRequester } from './account-emails.js';
import { type Admission, type Member, newAddress, type User } from './account.js';
import { InvitationStore, type Invitation } from './invitation.store.js';
import type { LogInLinkOwner } from './log-in-link.js';
import { PasswordHasher } from './password-hasher.js';
import { checkNewPassword, wrongCredentials } from './password.policy.js';
import { tokenHash } from './session-token.js';
import { checkSignUpAllowed, SIGN_UP_RULES } from './sign-up.policy.js';
import { EmailTaken, type NewUser, UserStore } from './user.store.js';

const TRIAL_CREDITS = 10;

/** A new user, and the language of the confirmation email. */
interface Newcomer extends NewUser {
  readonly language: Language;
}

/** Creates accounts, and logs users in to one of their workspaces. */
@Injectable()
export class AccountsHandler {
  constructor(
    @Inject(DATABASE) private readonly database: DatabasePool,
    private readonly users: UserStore,
    private readonly invitations: InvitationStore,
    private readonly passwords: PasswordHasher,
    private readonly creating: CreateWorkspaceHandler,
    private readonly emails: AccountEmails,
    private readonly limits: DailyLimits,
    @Inject(SIGN_UP_RULES) private readonly rules: SignUpRules,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Hashes the password before it looks up the address, so that the time does not depend on the
   * address.
   */
  async signUp(body: SignUpBody, requester: EmailRequester): Promise<Admission> {
    const email = newAddress(body.email);
    if (body.billing_country !== undefined) checkCountry(body.billing_country, 'billing_country');
    checkNewPassword(body.password, 'password');
    const invitation = await this.findInvitation(body.invitation_token, email);
    const joinsWorkspace = invitation !== null && invitation.workspaceId !== null;
    if (!joinsWorkspace) checkSignUpAllowed(this.rules.mode, invitation !== null);
    const enter = async () => {
      const passwordHash = await this.passwords.hash(body.password);
      if (await this.users.findByEmail(body.email)) throw emailTaken();
      const name = body.name ?? (email.split('@', 1)[0] as string);
      const newcomer = { email, name, passwordHash, language: requester.language };
      const member = await (joinsWorkspace
        ? this.joinAs(newcomer, body)
        : this.openWorkspace(newcomer, body));
      return { member, passwordHash };
    };
    try {
      const admission = await this.limits.ofSignUps(requester.ip, enter);
      this.emails.ring();
      return admission;
    } catch (error) {
      throw error instanceof EmailTaken ? emailTaken() : error;
    }
  }

  async logIn(body: LogInBody): Promise<Admission> {
    const user = await this.users.findByEmail(body.email);
    const isRight = await this.passwords.matches(body.password, user?.passwordHash ?? null);
    if (!user || !isRight) throw wrongCredentials();
    return { member: await this.memberAt(user, body), passwordHash: user.passwordHash };
  }

  /** Logs in with the link that `npm start` printed. */
  async logInByLink({ email, workspaceId }: LogInLinkOwner): Promise<Admission> {
    const user = await this.users.findByEmail(email);
    const member = user && (await this.users.findMember(user.id, workspaceId));
    if (!member) throw wrongCredentials();
    return { member, passwordHash: user.passwordHash };
  }

  private async memberAt(user: User, body: LogInBody): Promise<Member> {
    const { invitation_token: token } = body;
    if (token !== undefined) {
      return this.database.transaction((transaction) =>
        this.acceptInvitation(user, token, transaction),
      );
    }
    const member = await this.users.findMember(user.id, body.workspace_id ?? null);
    if (member) return member;
    if (body.workspace_id === undefined) {
      throw new ApiError('permission_error', { message: ERROR_MESSAGES.noWorkspaceLeft });
    }
    throw new ApiError('validation_error', {
      field: 'workspace_id',
      message: ERROR_MESSAGES.foreignWorkspace,
    });
  }

  private async findInvitation(
    token: string | undefined,
    email: string,
  ): Promise<Invitation | null> {
    if (token === undefined) return null;
    const at = new Date(this.clock.now());
    const invitation = await this.invitations.find(tokenHash(token), email, at);
    if (!invitation) throw badInvitation();
    return invitation;
  }

  private joinAs(newcomer: Newcomer, { invitation_token: token = '' }: SignUpBody) {
    return this.database.transaction(async (transaction) => {
      const user = await this.insert(newcomer, transaction);
      return this.acceptInvitation(user, token, transaction);
    });
  }

  private async openWorkspace(newcomer: Newcomer, body: SignUpBody): Promise<Member> {
    const { trialCredits } = this.rules;
    let user: User | undefined;
    const { workspace } = await this.creating.create(
      {
        name: body.workspace_name ?? newcomer.name,
        billingCountry: body.billing_country ?? BILLING_COUNTRY_DEFAULT,
        credits: trialCredits === 'at_signup' ? TRIAL_CREDITS : 0,
        creditsKind: 'trial',
        trialCreditsPending: trialCredits === 'after_confirmation' ? TRIAL_CREDITS : 0,
        origin: 'sign_up',
        settings: {},
      },
      async (transaction, workspaceId) => {
        user = await this.insert(newcomer, transaction);
        await this.users.within(transaction).found(user.id, workspaceId);
        await this.useUpInvitation(body.invitation_token, user.email, transaction);
      },
    );
    return this.memberOf(user as User, workspace.id, this.users);
  }

  /** Inserts the user with the request for the confirmation email. */
  private async insert(newcomer: Newcomer, transaction: Queryable): Promise<User> {
    const user = await this.users.within(transaction).insert(newcomer);
    await this.emails.confirmNewcomer(user.email, newcomer.language, transaction);
    return user;
  }

  private async useUpInvitation(
    token: string | undefined,
    email: string,
    transaction: Queryable,
  ): Promise<void> {
    if (token === undefined) return;
    const at = new Date(this.clock.now());
    if (!(await this.invitations.accept(tokenHash(token), email, at, transaction))) {
      throw badInvitation();
    }
  }

  private async acceptInvitation(
    user: User,
    token: string,
    transaction: Queryable,
  ): Promise<Member> {
    const at = new Date(this.clock.now());
    const hashed = tokenHash(token);
    const invitation = await this.invitations.accept(hashed, user.email, at, transaction);
    // An operator's invitation lets a new user create a workspace. It names none to join.
    if (!invitation || invitation.workspaceId === null) throw badInvitation();
    const { workspaceId, role } = invitation;
    const users = this.users.within(transaction);
    await users.join(user.id, workspaceId, role);
    return this.memberOf(user, workspaceId, users);
  }

  private async memberOf(user: User, workspaceId: WorkspaceId, users: UserStore): Promise<Member> {
    const member = await users.findMember(user.id, workspaceId);
    if (!member) throw new Error(`user ${user.id} has not joined workspace ${workspaceId}`);
    return member;
  }
}

function badInvitation(): ApiError {
  return new ApiError('validation_error', {
    field: 'invitation_token',
    message: ERROR_MESSAGES.badInvitation,
  });
}

function emailTaken(): ApiError {
  return new ApiError('conflict', {
    field: 'email',
    message: ERROR_MESSAGES.accountExists,
  });
}
