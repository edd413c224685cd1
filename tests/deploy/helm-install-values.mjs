/** Values of `npm run test:nightly -- install` for the chart. */

/** Every resource of an operator that the chart can make, of the groups that the server knows. */
export function everything(groups) {
  const knows = (group) => groups.includes(group);
  const kafka = knows('kafka.strimzi.io')
    ? { operator: { enabled: true } }
    : { brokers: ['kafka:9092'] };
  return {
    publicUrl: 'https://sms.example.com',
    database: { operator: { enabled: true, storageClass: 'fast' } },
    kafka,
    redis: knows('vko.gtrfc.com') ? { operator: { enabled: true } } : { secretName: 'redis' },
    secrets: { create: false, external: { enabled: true, storeName: 'vault' } },
    autoscaling: { kind: 'keda', prometheusUrl: 'http://prometheus.monitoring:9090' },
    gatewayApi: {
      enabled: true,
      parentRefs: [{ name: 'public', namespace: 'gateways' }],
      hostnames: ['sms.example.com'],
    },
    inboundMail: { enabled: true },
    serviceMonitor: { enabled: true },
    prometheusRule: { enabled: true },
    dashboards: { enabled: true },
  };
}
