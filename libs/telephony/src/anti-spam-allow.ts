import { hasOnlyLinksTo } from './text-links.js';

/** What anti-spam lets pass without a look, as the operator lists it for one workspace. */
export interface AllowList {
  readonly sender_ids: readonly string[];
  readonly template_ids: readonly string[];
  readonly domains: readonly string[];
}

export interface AllowListed {
  readonly senderId: string | null;
  /** Null for a text that was made from no template. */
  readonly templateId: string | null;
  readonly text: string;
}

/**
 * Returns whether the sender ID or the template is listed, or every link of the text leads to a
 * listed domain. One of them is enough. Letter case does not matter.
 */
export function isAllowListed(allow: AllowList, message: AllowListed): boolean {
  return (
    lists(allow.sender_ids, message.senderId) ||
    lists(allow.template_ids, message.templateId) ||
    hasOnlyLinksTo(allow.domains, message.text)
  );
}

function lists(listed: readonly string[], value: string | null): boolean {
  if (value === null) return false;
  const lower = value.toLowerCase();
  return listed.some((one) => one.toLowerCase() === lower);
}
