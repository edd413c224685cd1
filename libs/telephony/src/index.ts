export { isAllowListed } from './anti-spam-allow.js';
export type { AllowList, AllowListed } from './anti-spam-allow.js';
export { COUNTRIES, findCountry } from './countries.js';
export type { Country } from './countries.js';
export { parseDestination } from './e164.js';
export type { Destination, DestinationProblem, ParsedDestination } from './e164.js';
export { encodeGsm7, isGsm7, septetsOf } from './gsm7.js';
export { internationalNumber } from './international-number.js';
export { isHostName, isSharedDomain } from './host-name.js';
export { isFictionalNumber, magicNumber } from './magic-numbers.js';
export { erasedNumber, maskNumber } from './mask.js';
export { inboundKeywordOf } from './opt-out-keyword.js';
export type { InboundKeyword } from './opt-out-keyword.js';
export { networkByMccMnc, networkByToken, networkOfNumber } from './networks.js';
export type { Network } from './networks.js';
export { isNumberOf } from './number-country.js';
export { lookUpNumber } from './numbering-plan.js';
export type { NumberType } from './numbering-plan.js';
export { otpLastLine } from './otp-autofill.js';
export type { OtpAutofill } from './otp-autofill.js';
export { exampleOtp, measureOtp, otpLastLineOf, otpSegments } from './otp-measure.js';
export type { OtpShape } from './otp-measure.js';
export { brandOf, otpTemplateProblem, renderOtpText } from './otp-text.js';
export type { OtpLanguage, OtpTemplateProblem, OtpText } from './otp-text.js';
export { rewriteText } from './rewrite.js';
export type { RewriteMode, RewrittenText } from './rewrite.js';
export { measureParts, measureSegments } from './segments.js';
export type { SmsEncoding, SmsMeasure } from './segments.js';
export { foldSenderId, isSenderId, isSenderName, listsSenderId } from './sender-id.js';
export { mayHoldLink, visibleText } from './text-links.js';
export { parseTemplate, renderTemplate, TEMPLATE_VARIABLES_MAX } from './sms-template.js';
export type {
  ParsedTemplate,
  RenderedTemplate,
  TemplateProblem,
  TemplateValue,
} from './sms-template.js';
export { writtenDigits } from './written-digits.js';
