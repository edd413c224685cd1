/** Settings that each service has one of. */
import { addresses, integer, text } from './setting.js';
import type { ServiceName, Setting } from './setting.js';

export function serviceAddress(service: ServiceName): Setting<readonly string[]> {
  return addresses({
    variable: `${service.toUpperCase()}_ADDRESS`,
    fallback: [],
    fallbackText: 'none: it runs in this process',
    services: ['gateway'],
    sentence: `RPC_PORT of every replica of the ${service} service.`,
  });
}

export function databasePassword(service: ServiceName): Setting<string> {
  return text({
    variable: `${service.toUpperCase()}_DATABASE_PASSWORD`,
    fallback: '',
    fallbackText: 'follows from the encryption key',
    pattern: /^\S{16,}$/,
    meaning: 'at least 16 characters without spaces',
    secret: true,
    services: ['operator'],
    sentence: `Password of the role watchword_${service}; only \`npm run operator -- migrate\` needs it.`,
  });
}

export function rpcSecret(service: 'billing' | 'dispatch' | 'webhooks'): Setting<string> {
  return text({
    variable: `${service.toUpperCase()}_RPC_SECRET`,
    fallback: '',
    fallbackText: 'RPC_SECRET',
    pattern: /^\S{32,}$/,
    meaning: 'at least 32 characters without spaces',
    secret: true,
    services: ['gateway', service],
    sentence: `Secret of internal calls to ${service}; callers without it are refused.`,
  });
}

export function rpcTlsFile(name: 'CERT' | 'KEY' | 'CA', what: string): Setting<string> {
  return text({
    variable: `RPC_TLS_${name}`,
    fallback: '',
    fallbackText: 'none: internal calls are not encrypted',
    meaning: 'path',
    sentence: `PEM file with the ${what}. All three RPC_TLS_* are set together.`,
  });
}

export function poolSize(service: ServiceName, fallback: number): Setting<number> {
  return integer({
    variable: `${service.toUpperCase()}_POOL_SIZE`,
    fallback,
    minimum: 1,
    maximum: 100,
    unit: 'connections',
    services: [service],
    sentence: `Database connections of the ${service} service’s data plane.`,
  });
}
