import {
  ApiError,
  inputMessage,
  isMoment,
  type ListMessagesRequest,
  type SmsListQuery,
} from '@watchword/contracts';

type Filters = Omit<
  ListMessagesRequest,
  'workspace_id' | 'test_mode' | 'limit' | 'cursor' | 'kind'
>;
type Query = Omit<SmsListQuery, 'status'> & { status?: string };

/** The filters of a list as dispatch wants them. */
export function messageFilters(query: Query): Filters {
  const { status, to, from, country, test_mode } = query;
  return {
    status,
    to: to === undefined ? undefined : withPlus(to),
    from,
    country,
    only_test_mode: test_mode,
    created_after: readInstant(query.created_after, 'created_after'),
    created_before: readInstant(query.created_before, 'created_before'),
  };
}

/** A plus sign that was not escaped in the query arrives as a blank. */
export function withPlus(number: string): string {
  return `+${number.replace(/^[+ ]/, '')}`;
}

/** The schema saw to its form; a thirteenth month has it too. */
export function readInstant(text: string | undefined, field: string): string | undefined {
  if (text === undefined) return undefined;
  if (isMoment(text)) return new Date(text).toISOString();
  throw new ApiError('validation_error', { field, message: inputMessage(field, 'notAMoment') });
}
