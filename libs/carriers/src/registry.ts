import { AfricasTalkingAdapter } from './africas-talking/africas-talking.adapter.js';
import type { AfricasTalkingSettings } from './africas-talking/africas-talking.adapter.js';
import { readAfricasTalkingCallback } from './africas-talking/callback.js';
import type { CallbackReader, Provider } from './provider.port.js';
import { SimulatorAdapter } from './simulator/simulator.adapter.js';
import type { SimulatorSettings } from './simulator/simulator.adapter.js';
import { readTwilioCallback } from './twilio/callback.js';
import { TwilioAdapter } from './twilio/twilio.adapter.js';
import type { TwilioSettings } from './twilio/twilio.adapter.js';

/** A provider without settings is not there. */
export interface ProviderSettings {
  twilio?: TwilioSettings;
  africasTalking?: AfricasTalkingSettings;
  simulator?: SimulatorSettings;
}

/** All that it takes to tell a carrier's callback from a forged one. */
export interface CallbackSecrets {
  /** Empty when there is no such account. */
  twilioAuthToken: string;
}

interface ProviderEntry {
  readonly create: (settings: ProviderSettings) => readonly Provider[];
  /** Null when the provider cannot call back. */
  readonly reader: (secrets: CallbackSecrets) => CallbackReader | null;
}

/** One line per provider, by the token that names it to the public and in callback paths. */
const REGISTRY: Readonly<Record<string, ProviderEntry>> = {
  twilio: {
    create: ({ twilio }) => (twilio ? [new TwilioAdapter(twilio)] : []),
    reader: ({ twilioAuthToken }) =>
      twilioAuthToken === '' ? null : (callback) => readTwilioCallback(twilioAuthToken, callback),
  },
  africas_talking: {
    create: ({ africasTalking }) =>
      africasTalking ? [new AfricasTalkingAdapter(africasTalking)] : [],
    reader: () => readAfricasTalkingCallback,
  },
  simulator: {
    create: ({ simulator }) =>
      simulator ? ([1, 2, 3] as const).map((n) => new SimulatorAdapter(n, simulator)) : [],
    reader: () => null,
  },
};

/** Every provider there can be, by the name that clients see. */
export const PROVIDER_NAMES: readonly string[] = Object.keys(REGISTRY);

/** The simulated providers in the order in which test messages try them. */
export const SIMULATOR_NAMES = ['simulator_1', 'simulator_2', 'simulator_3'] as const;

/** Every provider that has settings, by its name. */
export function createProviders(settings: ProviderSettings): Map<string, Provider> {
  const providers = Object.values(REGISTRY).flatMap((entry) => entry.create(settings));
  return new Map(providers.map((provider) => [provider.name, provider]));
}

/** For the gateway, which reads callbacks and never submits; keyed as in the callback's path. */
export function createCallbackReaders(secrets: CallbackSecrets): Map<string, CallbackReader> {
  const readers = new Map<string, CallbackReader>();
  for (const [token, entry] of Object.entries(REGISTRY)) {
    const reader = entry.reader(secrets);
    if (reader !== null) readers.set(token, reader);
  }
  return readers;
}

/** What clients see: which simulated provider it was is our business. */
export function publicProviderName(name: string): string {
  return name.startsWith('simulator_') ? 'simulator' : name;
}
