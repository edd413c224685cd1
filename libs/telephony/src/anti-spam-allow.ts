import { listsSenderId } from './sender-id.js';
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
  const templateId = message.templateId?.toLowerCase();
  return (
    listsSenderId(allow.sender_ids, message.senderId) ||
    allow.template_ids.some((id) => id.toLowerCase() === templateId) ||
    hasOnlyLinksTo(allow.domains, message.text)
  );
}
