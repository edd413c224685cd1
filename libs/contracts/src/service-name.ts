/** The four services. Each owns one database schema and publishes its own topics. */
export type ServiceName = 'gateway' | 'billing' | 'dispatch' | 'webhooks';
