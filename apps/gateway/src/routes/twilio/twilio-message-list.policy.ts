import { PAGE_LIMIT_MAX, type WorkspaceId } from '@watchword/contracts';
import { numberOf, readForm, refusal, UNKNOWN_PARAMETERS } from './twilio-form.policy.js';
import { sidOf } from './twilio-ids.policy.js';

const SERVED = ['To', 'From', 'PageSize', 'Page', 'PageToken'] as const;
const PAGE_SIZE_DEFAULT = 50;
const NUMBER = /^\+\d{8,15}$/;
const COUNT = /^\d{1,9}$/;

export interface MessageListing {
  readonly to: string | undefined;
  readonly from: string | undefined;
  readonly limit: number;
  readonly page: number;
  readonly cursor: string | undefined;
}

/** Reads the query of Twilio's list. A larger page than ours becomes ours: libraries follow the next one. */
export function readListing(url: string): MessageListing {
  const query = readForm(url.split('?').slice(1).join('?'), SERVED, UNKNOWN_PARAMETERS);
  const to = query.get('To');
  const number = to === undefined ? undefined : numberOf(to);
  if (number !== undefined && !NUMBER.test(number)) {
    throw refusal(UNKNOWN_PARAMETERS, 'To must be a number in E.164, as +2348031234567.');
  }
  const from = query.get('From');
  if (from !== undefined && !/^[ -~]{1,11}$/.test(from)) {
    throw refusal(UNKNOWN_PARAMETERS, 'From must be a sender ID of 1 to 11 characters.');
  }
  return {
    to: number,
    from,
    limit: Math.min(countOf(query.get('PageSize'), 'PageSize', PAGE_SIZE_DEFAULT), PAGE_LIMIT_MAX),
    page: query.get('Page') === '0' ? 0 : countOf(query.get('Page'), 'Page', 0),
    cursor: query.get('PageToken'),
  };
}

function countOf(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (COUNT.test(text) && Number(text) > 0) return Number(text);
  throw refusal(UNKNOWN_PARAMETERS, `${name} must be a whole number from 1 on.`);
}

/** Returns a page in the way of Twilio's interface of 2010. Earlier pages are not linked. */
export function listOf(
  workspaceId: WorkspaceId,
  listing: MessageListing,
  messages: readonly object[],
  nextCursor: string | undefined,
) {
  const { to, from, limit, page, cursor } = listing;
  const path = `/2010-04-01/Accounts/${sidOf('AC', workspaceId)}/Messages.json`;
  const uriOf = (number: number, token: string | undefined) => {
    const query = new URLSearchParams();
    const given = { To: to, From: from, PageSize: String(limit), Page: String(number) };
    for (const [name, value] of Object.entries({ ...given, PageToken: token })) {
      if (value !== undefined) query.set(name, value);
    }
    return `${path}?${query}`;
  };
  const start = page * limit;
  return {
    messages,
    page,
    page_size: limit,
    start,
    end: start + Math.max(0, messages.length - 1),
    uri: uriOf(page, cursor),
    first_page_uri: uriOf(0, undefined),
    previous_page_uri: null,
    next_page_uri: nextCursor === undefined ? null : uriOf(page + 1, nextCursor),
  };
}
