import type { Config } from '@watchword/config';
import { createProviders, type Provider, type SimulatorSettings } from '@watchword/carriers';

/** Sender of messages that name none. */
const DEFAULT_SENDER_ID = 'Watchword';
const TWILIO_URL = 'https://api.twilio.com';
const AFRICAS_TALKING_URL = 'https://api.africastalking.com';

/** The carriers that the settings name, and the simulated one for test keys. */
export function configuredProviders(
  config: Config,
  simulator: SimulatorSettings,
): Map<string, Provider> {
  const { twilioAccountSid: accountSid, africasTalkingUsername: username } = config;
  const twilio = accountSid && {
    accountSid,
    authToken: config.twilioAuthToken,
    baseUrl: config.twilioBaseUrl || TWILIO_URL,
    defaultSenderId: DEFAULT_SENDER_ID,
    callbackBaseUrl: config.callbackBaseUrl || `http://${config.host}:${config.port}`,
    callbackSecret: config.callbackSecret,
  };
  const africasTalking = username && {
    username,
    apiKey: config.africasTalkingApiKey,
    baseUrl: config.africasTalkingBaseUrl || AFRICAS_TALKING_URL,
    defaultSenderId: DEFAULT_SENDER_ID,
  };
  return createProviders({
    twilio: twilio || undefined,
    africasTalking: africasTalking || undefined,
    simulator,
  });
}
