import { type Static, Type } from '@sinclair/typebox';
import { call } from './calls.js';
import { nullable } from '../http/common.schema.js';

const words = <Word extends string>(...list: Word[]) =>
  Type.Union(list.map((word) => Type.Literal(word)));

/** Destination and sender of an SMS. */
export const DestinationQuestion = Type.Object({
  workspace_id: Type.String(),
  sender_id: nullable(Type.String()),
  country_code: Type.String(),
  /** E.164 with the plus sign. */
  destination: Type.String(),
});
export type DestinationQuestion = Static<typeof DestinationQuestion>;

export const DestinationFinding = Type.Object({
  /** `barred`: rejected or suspended in the country. `unregistered`: nothing usable is on record. */
  sender: words('usable', 'barred', 'unregistered'),
  /** `dnd`: on the country's registry, and the sender is not whitelisted there. */
  refusal: nullable(words('dnd', 'opted_out')),
});
export type DestinationFinding = Static<typeof DestinationFinding>;

/** A number that asked a sender of a workspace to stop. */
export const OptOut = Type.Object({
  address: Type.String(),
  sender_id: nullable(Type.String()),
  created_at: Type.String(),
});
export type OptOut = Static<typeof OptOut>;

export const DND_NUMBERS_PER_CALL_MAX = 20_000;

export const destinationCalls = {
  /** What registries and sender decisions say now; one finding for each question, in order. */
  judgeDestinations: call(
    Type.Object({ questions: Type.Array(DestinationQuestion, { maxItems: 1000 }) }),
    Type.Object({ findings: Type.Array(DestinationFinding) }),
    // A send waits this long and continues without an answer.
    { deadlineMs: 800 },
  ),
  /** A part of a new list, kept apart until `publishDndList` names the same upload. */
  stageDndNumbers: call(
    Type.Object({
      upload_id: Type.String(),
      country_code: Type.String(),
      numbers: Type.Array(Type.String(), { maxItems: DND_NUMBERS_PER_CALL_MAX }),
    }),
    Type.Object({}),
    { deadlineMs: 10_000 },
  ),
  /** Replaces the country's list by what was staged; learned numbers stay. */
  publishDndList: call(
    Type.Object({ upload_id: Type.String(), country_code: Type.String() }),
    Type.Object({ numbers: Type.Integer() }),
    { deadlineMs: 30_000 },
  ),
  /** Newest first, those before the position. */
  listOptOuts: call(
    Type.Object({
      workspace_id: Type.String(),
      limit: Type.Integer({ minimum: 1, maximum: 201 }),
      before: nullable(Type.Object({ created_at: Type.String(), id: Type.String() })),
    }),
    Type.Object({
      data: Type.Array(Type.Composite([OptOut, Type.Object({ id: Type.String() })])),
    }),
  ),
  /** Without a sender ID, all of the number. The count is 0 when there was none. */
  deleteOptOuts: call(
    Type.Object({
      workspace_id: Type.String(),
      destination: Type.String(),
      sender_id: nullable(Type.String()),
    }),
    Type.Object({ deleted: Type.Integer() }),
  ),
};
