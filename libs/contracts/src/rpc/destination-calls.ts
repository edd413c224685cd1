import { type Static, Type } from '@sinclair/typebox';
import type { WorkspaceId } from '../ids.js';
import { call } from './calls.js';
import type { SmsCategory } from '../channels/sms/sms-content.schema.js';
import type { WorkspaceSettings } from '../http/workspace-settings.schema.js';
import { idOf, nullable, words } from '../shapes.js';

/**
 * What a country's rule has against a sender ID. `replaced`: handsets show a number instead, which refuses
 * nothing.
 */
export const SenderProblem = words(
  'forbidden',
  'reserved',
  'too_short',
  'unregistered',
  'replaced',
);
export type SenderProblem = Static<typeof SenderProblem>;

/** Destination and sender of an SMS. */
export const DestinationQuestion = Type.Object({
  workspace_id: idOf<WorkspaceId>(),
  sender_id: nullable(Type.String()),
  country_code: Type.String(),
  /** Number in E.164 with the plus sign. */
  destination: Type.String(),
  /** Time at which a promotional message would leave, where the country's quiet hours count. */
  quiet_at: Type.Optional(Type.String()),
});
export type DestinationQuestion = Static<typeof DestinationQuestion>;

/**
 * Returns the time at which quiet hours count for a message. They count for promotional messages only, and
 * only where the workspace keeps them.
 */
export function quietAtOf(
  category: SmsCategory | undefined,
  setting: WorkspaceSettings['quiet_hours'],
  at: string,
): Pick<DestinationQuestion, 'quiet_at'> {
  return category === 'promotional' && setting !== 'off' ? { quiet_at: at } : {};
}

export const DestinationFinding = Type.Object({
  /**
   * `barred`: the sender is rejected or suspended in the country. `unregistered`: no usable
   * registration exists.
   */
  sender: words('usable', 'barred', 'unregistered'),
  /** `dnd`: the number is on the country's registry, and the sender is not whitelisted there. */
  refusal: nullable(words('dnd', 'opted_out')),
  /** Network token of a ported number. Null where the prefix decides. */
  network: nullable(Type.String()),
  /** What the country's rule says against the sender ID. Absent: nothing, or rules are off. */
  rule: Type.Optional(
    Type.Object({
      problem: SenderProblem,
      is_enforced: Type.Boolean(),
      /** Characters that a sender ID has at least there. */
      length_min: Type.Integer(),
    }),
  ),
  /** When the quiet hours end that `quiet_at` is in. Absent outside of them. */
  quiet_until: Type.Optional(Type.String()),
});
export type DestinationFinding = Static<typeof DestinationFinding>;

export const DND_NUMBERS_PER_CALL_MAX = 20_000;

export const destinationCalls = {
  /** Answers what registries and sender decisions say now: one finding per question, in order. */
  judgeDestinations: call(
    Type.Object({ questions: Type.Array(DestinationQuestion, { maxItems: 1000 }) }),
    Type.Object({ findings: Type.Array(DestinationFinding) }),
  ),
  /** Stores a part of a new list, unused until `publishDndList` names the same upload. */
  stageDndNumbers: call(
    Type.Object({
      upload_id: Type.String(),
      country_code: Type.String(),
      numbers: Type.Array(Type.String(), { maxItems: DND_NUMBERS_PER_CALL_MAX }),
    }),
    Type.Object({}),
  ),
  /** Replaces the country's list by the staged one. Learned numbers stay. */
  publishDndList: call(
    Type.Object({ upload_id: Type.String(), country_code: Type.String() }),
    Type.Object({ numbers: Type.Integer() }),
    { deadlineMs: 30_000 },
  ),
};
