export type { AfricasTalkingSettings } from './africas-talking/africas-talking.adapter.js';
export type { SubmitDeadlines } from './http/outcome.policy.js';
export * from './provider.port.js';
export * from './registry.js';
export { SimulatorAdapter } from './simulator/simulator.adapter.js';
export type {
  Schedule,
  SimulatorSettings,
  SubmittedMessage,
} from './simulator/simulator.adapter.js';
export { testAttemptBudget, testExpiresAtOnce, testOtpCode } from './simulator/test-otp.js';
export type { TwilioSettings } from './twilio/twilio.adapter.js';
