import { hash } from 'node:crypto';
import {
  PHONE_CONTRACTS,
  type PhoneKind,
  type PlatformSettings,
  type SendLimit,
  type SendWindow,
  type WorkspaceId,
  type WorkspaceLimits,
} from '@watchword/contracts';
import type { Counter } from '@watchword/rate-limit';
import type { Caller } from '../accounts/keys/key-directory.port.js';

/**
 * Every limit of the public routes, as data; a workspace's limits of sends to a number stand in the
 * contract of each kind. Test mode counts separately from live (a key has one mode, so its own
 * counter needs no more), and has no limits per destination.
 */
const MINUTE = 60;

/** For each address of operators; far more than people and their scripts need. */
const OPERATOR_CALLS_PER_MINUTE = 6_000;

/** A window, and what a quote calls the limit. */
export type PlacedWindow = SendWindow & { readonly per: 'number' | 'prefix' };

/**
 * Limits that all trial workspaces share, so that many sign-ups send no more than one. They are
 * security rules and not settings of a workspace.
 */
const TRIAL_LIMITS = [
  { name: 'trial-otp-number', limit: 5, windowSeconds: 60 * MINUTE, per: 'number' },
  { name: 'trial-otp-prefix', limit: 60, windowSeconds: 60 * MINUTE, per: 'prefix' },
] as const;

interface CallerKeys {
  readonly key: string;
  readonly workspace: string;
}

/**
 * Keys of a caller's counters, made once for a caller in memory: a text that the limiter has is found without
 * hashing and comparing it.
 */
const keysOfCallers = new WeakMap<Caller, CallerKeys>();

function keysOf(caller: Caller): CallerKeys {
  const known = keysOfCallers.get(caller);
  if (known) return known;
  const { mode, keyId, workspace } = caller;
  const made = { key: `key:${keyId}`, workspace: `workspace:${mode}:${workspace.id}` };
  keysOfCallers.set(caller, made);
  return made;
}

/**
 * Returns the counters of IP, key and workspace, in this order: the first refusal leaves later ones
 * alone. Routes of variant B also have a rate per workspace.
 */
export function callerCounters(
  caller: Caller,
  clientIp: string,
  platform: PlatformSettings,
  isVariantB: boolean,
): Counter[] {
  const { mode, workspace } = caller;
  const { limits } = workspace.settings;
  const keys = keysOf(caller);
  const counters: Counter[] = [
    {
      key: `ip:${mode}:${clientIp}`,
      limit: platform.limits.ip_authenticated_per_minute,
      windowSeconds: MINUTE,
    },
    { key: keys.key, limit: limits.key_per_minute, windowSeconds: MINUTE },
    { key: keys.workspace, limit: limits.workspace_per_minute, windowSeconds: MINUTE },
  ];
  if (isVariantB) counters.push(variantBCounter(caller));
  return counters;
}

/**
 * Returns a bucket that holds the burst and fills at the rate. Without either there is no limit.
 */
function variantBCounter({ mode, workspace }: Caller): Counter {
  const { variant_b_per_second: perSecond, variant_b_burst: burst } = workspace.settings.limits;
  const key = `variant-b:${mode}:${workspace.id}`;
  if (perSecond === null || burst === null) return { key, limit: null, windowSeconds: 1 };
  // A rate of zero refuses everything, with any burst.
  if (perSecond === 0) return { key, kind: 'bucket', limit: 0, windowSeconds: 1 };
  return { key, kind: 'bucket', limit: burst, windowSeconds: burst / perSecond };
}

export function anonymousCounter(clientIp: string, platform: PlatformSettings): Counter {
  const limit = platform.limits.ip_unauthenticated_per_minute;
  return { key: `ip:anonymous:${clientIp}`, limit, windowSeconds: MINUTE };
}

/** Sessions count with the live traffic of their address. */
export function sessionCounter(clientIp: string, platform: PlatformSettings): Counter {
  const limit = platform.limits.ip_authenticated_per_minute;
  return { key: `ip:live:${clientIp}`, limit, windowSeconds: MINUTE };
}

/** Calls of operators count apart, so that no traffic of their address locks them out. */
export function operatorCounter(clientIp: string): Counter {
  return { key: `operator:${clientIp}`, limit: OPERATOR_CALLS_PER_MINUTE, windowSeconds: MINUTE };
}

/** `/auth` has its own counter, so a client that used up the others can still log in. */
export function authCounter(clientIp: string, platform: PlatformSettings): Counter {
  const limit = platform.limits.ip_unauthenticated_per_minute;
  return { key: `ip:auth:${clientIp}`, limit, windowSeconds: MINUTE };
}

/** Public documents are large and have their own counter, which uses no calls of `/v1`. */
export function documentCounter(clientIp: string, platform: PlatformSettings): Counter {
  const limit = platform.limits.ip_unauthenticated_per_minute;
  return { key: `ip:documents:${clientIp}`, limit, windowSeconds: MINUTE };
}

/** Returns the smaller rest of key and workspace. Null when neither has a limit. */
export function remainingOf(remaining: readonly (number | null)[]): number | null {
  const [, key = null, workspace = null] = remaining;
  if (key === null) return workspace;
  return workspace === null ? key : Math.min(key, workspace);
}

/** Returns the windows of a workspace's sends to a number, in the order in which they refuse. */
export function sendWindows(
  kind: PhoneKind,
  workspaceId: WorkspaceId,
  e164: string,
  limits: WorkspaceLimits,
): PlacedWindow[] {
  return PHONE_CONTRACTS[kind].limits.flatMap(({ name, setting, windowSeconds: seconds, per }) => {
    const limit = limits[setting];
    if (limit === null) return [];
    const id = windowId(`${name}:${workspaceId}:${scopeOf(per, e164)}`);
    return [{ id, limit, seconds, per }];
  });
}

/** Returns the additional windows of a trial workspace's OTP: its number and its prefix. */
export function trialWindows(e164: string): PlacedWindow[] {
  return TRIAL_LIMITS.map(({ name, limit, windowSeconds: seconds, per }) => ({
    id: windowId(`${name}:${scopeOf(per, e164)}`),
    limit,
    seconds,
    per,
    shared: true,
  }));
}

export function verificationCounter(
  workspaceId: WorkspaceId,
  e164: string,
  { otp_verifications_per_number_per_10_minutes: limit }: WorkspaceLimits,
): Counter {
  return { key: `otp-verification:${workspaceId}:${e164}`, limit, windowSeconds: 10 * MINUTE };
}

/** Returns the id of a window of `name`. A hash, so that no number is stored. */
export function windowId(name: string): string {
  return hash('sha256', name).slice(0, 32);
}

function scopeOf(per: SendLimit['per'], e164: string): string {
  return per === 'number' ? e164 : e164.slice(0, 7);
}
