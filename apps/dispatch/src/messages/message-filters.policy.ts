import { momentOf } from '@watchword/contracts';

/** Restores a plus sign that was not escaped in the query and arrived as a blank. */
export function withPlus(number: string): string {
  return `+${number.replace(/^[+ ]/, '')}`;
}

/** The bounds of a list. Both are exclusive. */
export interface CreatedBetween {
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
}

export function createdBetween({
  created_after: after,
  created_before: before,
}: CreatedBetween): CreatedBetween {
  return {
    created_after: after === undefined ? after : momentOf(after, 'created_after').toISOString(),
    created_before:
      before === undefined ? before : momentOf(before, 'created_before').toISOString(),
  };
}
