import { type ListMessagesRequest, momentOf, type SmsListQuery } from '@watchword/contracts';
import { checkCountry } from '../accounts/settings/workspace-settings.policy.js';

type Filters = Omit<
  ListMessagesRequest,
  'workspace_id' | 'test_mode' | 'limit' | 'cursor' | 'kind'
>;
type Query = Omit<SmsListQuery, 'status'> & { status?: string };

/** Returns the filters of a list for dispatch. */
export function messageFilters(query: Query): Filters {
  const { status, to, from, country, test_mode } = query;
  if (country !== undefined) checkCountry(country, 'country');
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

/** Restores a plus sign that was not escaped in the query and arrived as a blank. */
export function withPlus(number: string): string {
  return `+${number.replace(/^[+ ]/, '')}`;
}

export function readInstant(text: string | undefined, field: string): string | undefined {
  return text === undefined ? undefined : momentOf(text, field).toISOString();
}
