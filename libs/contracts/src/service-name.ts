/** The four services; each owns one database schema and publishes topics of its own. */
export type ServiceName = 'gateway' | 'billing' | 'dispatch' | 'webhooks';
