export { AccountSlots, FULL } from './capacity/account-slots.js';
export type { Capacity, CarrierCost } from './capacity/capacity.js';
export { CallbackEntryPoints } from './callback-entry-points.js';
export type { CallbackUrl } from './callback-urls.js';
export { callbackUrls } from './callback-urls.js';
export type { CallbackEntryPoint, CallbackVerdict } from './callback-entry-points.js';
export { callbackSecretOf, linkHostsSecretOf } from './callback-secret.js';
export type { Carrier, CarrierCallbacks, CarrierContext } from './carrier.js';
export type {
  EmailCallbackReader,
  EmailCallbackResult,
  EmailCarrier,
  EmailCarrierReport,
} from './email/email-carrier.js';
export { deliveryReportOf, storable } from './delivery-report.policy.js';
export { inboundMessageOf } from './inbound-message.policy.js';
export { rawCodeOf } from './http/raw-message.policy.js';
export type { SubmitDeadlines } from './http/outcome.policy.js';
export * from './email-provider.port.js';
export * from './provider.port.js';
export * from './registry.js';
export { SimulatorAdapter } from './simulator/simulator.adapter.js';
export type {
  Schedule,
  SimulatorSettings,
  SubmittedMessage,
} from './simulator/simulator.adapter.js';
export { SIMULATOR_NAMES } from './simulator/simulator.carrier.js';
export { testAttemptBudget, testExpiresAtOnce, testOtpCode } from './simulator/test-otp.js';
