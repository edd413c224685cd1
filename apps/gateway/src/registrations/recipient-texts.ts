import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type ChangeWorkspaceBody,
  CODE_LENGTH_DEFAULT,
  type DispatchCalls,
  inputMessage,
  type InputProblem,
  type Language,
  LANGUAGES,
  TTL_SECONDS_DEFAULT,
  type WorkspaceId,
} from '@watchword/contracts';
import { PLATFORM, type Platform } from '@watchword/platform';
import { brandOf, exampleOtp, isAllowListed, mayHoldLink } from '@watchword/telephony';
import type { WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { platformNameOf } from '../accounts/platform-name.js';
import { ProtectedSenderIds } from '../accounts/sender-ids/protected-sender-ids.js';
import type { Wording, Workspace } from '../accounts/workspaces/workspace.js';
import { existingWorkspace } from '../accounts/workspaces/workspace-lookup.js';
import { WorkspaceStore } from '../accounts/workspaces/workspace.store.js';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { TrialWorkspaces } from '../limits/trial-workspaces.js';

const EXAMPLE = {
  codeLength: CODE_LENGTH_DEFAULT,
  ttlSeconds: TTL_SECONDS_DEFAULT,
  lastLine: null,
};

/**
 * What recipients read of a workspace without that anti-spam judges each text: its name and its own texts of
 * one-time passwords.
 */
@Injectable()
export class RecipientTexts {
  private readonly platformBrand: string;

  constructor(
    @Inject(PLATFORM) { config }: Pick<Platform, 'config'>,
    private readonly workspaces: WorkspaceStore,
    @Inject(TrialWorkspaces) private readonly trials: Pick<TrialWorkspaces, 'isTrial' | 'isExempt'>,
    @Inject(ProtectedSenderIds)
    private readonly protectedNames: Pick<ProtectedSenderIds, 'areNamedIn'>,
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'screenText'>,
  ) {
    this.platformBrand = brandOf(platformNameOf(config));
  }

  /** Returns the name that recipients read: the platform's for a trial workspace that impersonates. */
  brandOf(
    workspace: Pick<WorkspaceView, 'id' | 'origin' | 'name' | 'brand'>,
  ): string | Promise<string> {
    const { name, brand } = workspace;
    if (this.trials.isExempt(workspace)) return brand;
    if (!this.impersonates(name) && !this.impersonates(brand)) return brand;
    return this.trials.isTrial(workspace).then((isTrial) => (isTrial ? this.platformBrand : brand));
  }

  /**
   * Refuses what an owner may not let recipients read. A text is judged when it or the name in it is set, and not
   * again: by the lists of that time, and by anti-spam as if the workspace had set `block`. What stays as it is,
   * perhaps because an operator set it, hinders no other change. Returns the wording beside which it was judged, if it was.
   */
  async check(
    id: WorkspaceId,
    { name, settings }: ChangeWorkspaceBody,
  ): Promise<Wording | undefined> {
    const { otp_text: texts, webotp_domain: webotpDomain } = settings ?? {};
    if (name === undefined && texts === undefined && !webotpDomain) return undefined;
    const workspace = await existingWorkspace(this.workspaces, id);
    const isTrial = await this.trials.isTrial(workspace);
    const { otp_text: textsBefore, webotp_domain: domainBefore } = workspace.settings;
    if (webotpDomain && webotpDomain !== domainBefore && isTrial) {
      throw refused('settings.webotp_domain', 'trialDomain');
    }
    const is: Wording = { name: workspace.name, texts: textsBefore };
    const wouldBe: Wording = { name: name ?? workspace.name, texts: { ...textsBefore, ...texts } };
    for (const language of LANGUAGES) {
      const after = this.textOf(wouldBe, language, isTrial);
      const before = this.textOf(is, language, isTrial);
      if (after === null || after === before) continue;
      const problem = await this.problemOf(after, workspace, isTrial);
      if (problem === null) continue;
      const isText = texts?.[language] !== undefined && texts[language] !== textsBefore[language];
      if (isText) throw refused(`settings.otp_text.${language}`, problem);
      // A rename is not refused for a text that is refused under the present name too.
      const isKnown =
        before !== null && (await this.problemOf(before, workspace, isTrial)) !== null;
      if (!isKnown) throw refused('name', problem);
    }
    return is;
  }

  /** Returns an example of the workspace's own text, or null. */
  private textOf({ name, texts }: Wording, language: Language, isTrial: boolean): string | null {
    const template = texts[language] ?? null;
    if (template === null) return null;
    const brand = isTrial && this.impersonates(name) ? this.platformBrand : brandOf(name);
    return exampleOtp({ ...EXAMPLE, language, brand, template });
  }

  private async problemOf(
    text: string,
    { billingCountry, settings: { anti_spam_allow: allow } }: Workspace,
    isTrial: boolean,
  ): Promise<InputProblem | null> {
    if (isTrial && this.impersonates(text)) return 'trialText';
    if (isAllowListed(allow, { senderId: null, templateId: null, text })) return null;
    const asked = { text, country_code: billingCountry, sender_id: null };
    const { action } = await this.dispatch.screenText({ ...asked, anti_spam: 'block' });
    return action === 'block' ? 'spam' : null;
  }

  /** Returns whether it has a link, a host name or a protected name. */
  private impersonates(text: string): boolean {
    return mayHoldLink(text) || this.protectedNames.areNamedIn(text);
  }
}

function refused(field: string, problem: InputProblem): ApiError {
  return new ApiError('validation_error', { field, message: inputMessage(field, problem) });
}
