export {
  addressSpellings,
  asciiDomain,
  domainOf,
  ERASED_ADDRESS,
  isAddress,
  storedAddress,
  parseMailbox,
} from './address.js';
export type { Mailbox, ParsedMailbox, Problem } from './address.js';
export type { ComposeOrder, EmailAttachment, EmailContent } from './compose.js';
export { composeEmail } from './compose.js';
export { ComposerClosed, EmailComposer, UnsendableContent } from './composer.js';
export { dkimRecordValue, isDkimRecordFor, newDkimKey } from './dkim-key.js';
export type { DkimKey } from './dkim-key.js';
export { escapeHtml } from './escape-html.js';
export { hasControls, headerProblem } from './headers.js';
export {
  domainOfTrackingHost,
  hasOwnLinks,
  linkBaseUrl,
  linkSecretAt,
  linkSigning,
  ownLinks,
  trackingHostOf,
} from './links.js';
export type { LinkSettings } from './links.js';
export { maskAddress } from './mask.js';
export { readReportMessage, REPORT_BYTES_MAX } from './report-message.js';
export type { ReportMessage } from './report-message.js';
export { isSimulatorDomain, SIMULATOR_DOMAIN } from './simulator-domain.js';
export type { DkimSigning } from './sign.js';
export { bounceOfStatus, enhancedCodeOf, meaningOf, safeAnswerText } from './smtp-answer.policy.js';
export type {
  AnswerMeaning,
  Bounce,
  BounceSubType,
  JudgedBounce,
  SmtpAnswer,
  SmtpStage,
} from './smtp-answer.policy.js';
export { EmailTokens, emailTokenSecret } from './tokens.js';
export type { RecipientRef, UnsubscribeRef } from './tokens.js';
export { trackedHtml, trackingBytesMax } from './tracking.js';
export type { Tracking } from './tracking.js';
