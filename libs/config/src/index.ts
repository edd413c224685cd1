export { settings } from './config.schema.js';
export type { Config } from './config.schema.js';
export { configurationReference, envExample } from './config-documents.js';
export { ConfigError, loadConfig } from './load-config.js';
export type { Environment, LoadedConfig } from './load-config.js';
export { allowsLoopbackWebhooks } from './loopback-webhooks.policy.js';
export { serviceNames } from './setting.js';
export type { ServiceName, Setting } from './setting.js';
