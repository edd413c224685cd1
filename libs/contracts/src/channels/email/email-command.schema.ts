import { type Static, Type } from '@sinclair/typebox';
import { nullable, words } from '../../shapes.js';

/** Name of a header field that the caller adds to an email. */
const HeaderName = Type.String({ minLength: 1, maxLength: 100 });

/** An attachment without its content. */
export const EmailAttachment = Type.Object({
  filename: Type.String(),
  content_type: Type.String(),
  /** Id of an inline image that the HTML refers to as `cid:<id>`. Null for a normal attachment. */
  content_id: nullable(Type.String()),
  size_bytes: Type.Integer({ minimum: 0 }),
});
export type EmailAttachment = Static<typeof EmailAttachment>;

/**
 * An email without its texts and attachments, which `content_sha256` refers to. Addresses are
 * `addr` or `Name <addr>`, as the caller gave them.
 */
export const EmailCommand = Type.Object({
  /** The hash that `storeEmailContent` returned. */
  content_sha256: Type.String(),
  /** Domain of `from`, in lower case. Dispatch finds the workspace's verified domain by it. */
  from_domain: Type.String(),
  from: Type.String(),
  to: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  bcc: Type.Array(Type.String()),
  reply_to: Type.Array(Type.String()),
  subject: Type.String(),
  headers: Type.Record(HeaderName, Type.String()),
  attachments: Type.Array(EmailAttachment),
  tags: Type.Array(Type.String()),
  category: words('transactional', 'marketing'),
  track_opens: Type.Boolean(),
  track_clicks: Type.Boolean(),
  /**
   * Every distinct bare address of `to`, `cc` and `bcc`, in that order, its domain in lower case.
   * Tokens and reports name a recipient by its index in this list, from 0. `segments` is the length
   * of the list.
   */
  recipients: Type.Array(Type.String(), { minItems: 1, maxItems: 50 }),
});
export type EmailCommand = Static<typeof EmailCommand>;
