import { OneOf } from '../kinds.js';
import { Setting } from '../setting.js';

const SIGN_UP_MODES = ['open', 'invite', 'closed'] as const;
export type SignUpMode = (typeof SIGN_UP_MODES)[number];

const TRIAL_CREDITS_RULES = ['at_signup', 'after_confirmation', 'none'] as const;
export type TrialCreditsRule = (typeof TRIAL_CREDITS_RULES)[number];

/** The right to create a workspace, and its trial credits. */
export class SignUpSettings {
  @Setting(
    'SIGNUP',
    'Who can create a workspace at /auth/signup: everyone, holders of an operator’s invitation, or no one.',
    { readBy: ['gateway'], fallbackText: 'open while HOST is a loopback address, else invite' },
  )
  @OneOf(SIGN_UP_MODES)
  readonly signUp?: SignUpMode;

  @Setting('TRIAL_CREDITS', 'When a workspace created by sign-up gets its 10 trial credits.', {
    readBy: ['gateway'],
    fallbackText: 'at_signup while HOST is a loopback address, else after_confirmation',
  })
  @OneOf(TRIAL_CREDITS_RULES)
  readonly trialCredits?: TrialCreditsRule;
}
