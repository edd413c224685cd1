import {
  ApiError,
  ERROR_MESSAGES,
  type ErrorText,
  FLOOR_SETTINGS,
  FLOOR_WORDS,
  type FloorSetting,
  type OperatorSettingsPatch,
  SETTING_ROLES,
  type SettingFloors,
  type WorkspaceSettingsPatch,
} from '@watchword/contracts';

/** Whose change it is. `SETTING_ROLES` says what each may change. */
export type SettingsAuthor = 'owner' | 'operator';

/** What people set for a workspace. Defaults are not stored. */
export interface StoredSettings {
  /** Choices of owners, and of operators where the setting has no floor. */
  readonly chosen: WorkspaceSettingsPatch;
  readonly floors: SettingFloors;
}

/** Merges a change into what is stored. What the author may not change is a 403 with its field. */
export function changeSettings(
  stored: StoredSettings,
  patch: OperatorSettingsPatch,
  author: SettingsAuthor,
): StoredSettings {
  if (author === 'owner') checkOwner(patch, stored.floors);
  const { others, ofFloors } = split(patch);
  if (author === 'operator') {
    const floors = withoutNull({ ...stored.floors, ...ofFloors });
    return { chosen: mergeSettings(stored.chosen, others), floors };
  }
  const chosen = mergeSettings(stored.chosen, { ...others, ...withoutNull(ofFloors) });
  return { ...stored, chosen };
}

/** Returns the stricter of two values. One that was not chosen gives way. */
export function stricter<Name extends FloorSetting>(
  name: Name,
  one: SettingFloors[Name],
  other: SettingFloors[Name],
): SettingFloors[Name] {
  return strictness(name, one) > strictness(name, other) ? one : other;
}

function strictness(name: FloorSetting, value: string | undefined): number {
  return (FLOOR_WORDS[name] as readonly (string | undefined)[]).indexOf(value);
}

function checkOwner(patch: OperatorSettingsPatch, floors: SettingFloors): void {
  for (const name of Object.keys(patch) as (keyof typeof SETTING_ROLES)[]) {
    if (SETTING_ROLES[name] !== 'operator') continue;
    throw refused(name, ERROR_MESSAGES.operatorsSetting(name));
  }
  for (const name of FLOOR_SETTINGS) {
    const [wanted, floor] = [patch[name] ?? undefined, floors[name]];
    if (wanted === undefined || floor === undefined) continue;
    if (strictness(name, wanted) >= strictness(name, floor)) continue;
    throw refused(name, ERROR_MESSAGES.belowFloor(name, floor));
  }
}

type FloorChanges = Pick<OperatorSettingsPatch, FloorSetting>;

function split(patch: OperatorSettingsPatch) {
  const others: OperatorSettingsPatch = { ...patch };
  const ofFloors: Record<string, unknown> = {};
  for (const name of FLOOR_SETTINGS) {
    if (patch[name] !== undefined) ofFloors[name] = patch[name];
    delete others[name];
  }
  return {
    others: others as Omit<OperatorSettingsPatch, FloorSetting>,
    ofFloors: ofFloors as FloorChanges,
  };
}

/** A floor of null is none. */
function withoutNull(changes: FloorChanges): SettingFloors {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null));
}

/** Merges a change: objects merge, other values replace. A text of `null` restores the default. */
function mergeSettings(
  stored: WorkspaceSettingsPatch,
  patch: WorkspaceSettingsPatch,
): WorkspaceSettingsPatch {
  const merged: WorkspaceSettingsPatch = { ...stored, ...patch };
  if (stored.limits || patch.limits) merged.limits = { ...stored.limits, ...patch.limits };
  if (stored.anti_spam_allow || patch.anti_spam_allow) {
    merged.anti_spam_allow = { ...stored.anti_spam_allow, ...patch.anti_spam_allow };
  }
  if (stored.otp_text || patch.otp_text) {
    const texts = Object.entries({ ...stored.otp_text, ...patch.otp_text });
    merged.otp_text = Object.fromEntries(texts.filter(([, text]) => text !== null));
  }
  return merged;
}

function refused(setting: string, message: ErrorText): ApiError {
  return new ApiError('permission_error', { field: `settings.${setting}`, message });
}
