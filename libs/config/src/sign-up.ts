import type { Config } from './config.js';
import { isLoopbackHost } from './loopback-host.js';
import type { SignUpMode, TrialCreditsRule } from './settings/sign-up.settings.js';

export interface SignUpRules {
  readonly mode: SignUpMode;
  readonly trialCredits: TrialCreditsRule;
}

/** Returns the rules of sign-up. A process reachable only from this machine is open by default. */
export function signUpRules(config: Pick<Config, 'host' | 'signUp' | 'trialCredits'>): SignUpRules {
  const isPrivate = isLoopbackHost(config.host);
  const { signUp, trialCredits } = config;
  return {
    mode: signUp ?? (isPrivate ? 'open' : 'invite'),
    trialCredits: trialCredits ?? (isPrivate ? 'at_signup' : 'after_confirmation'),
  };
}
