import { Addresses, Secrets, Text, WholeNumber } from '../kinds.js';
import { Setting } from '../setting.js';

const ELSEWHERE = { readBy: ['gateway'], fallbackText: 'none: it runs in this process' } as const;

/** Settings of calls between services in different processes. */
export class InternalCallsSettings {
  @Setting(
    'INTERNAL_HOST',
    'Address RPC_PORT and METRICS_PORT listen on; never one the internet reaches.',
  )
  @Text()
  readonly internalHost: string = '127.0.0.1';

  @Setting('RPC_PORT', 'TCP port on which this process answers the calls of others.', {
    fallbackText: 'none: other processes cannot call this one',
  })
  @WholeNumber(0, 65_535)
  readonly rpcPort: number = 0;

  @Setting('BILLING_ADDRESS', 'RPC_PORT of every replica of the billing service.', ELSEWHERE)
  @Addresses()
  readonly billingAddress: readonly string[] = [];

  @Setting('DISPATCH_ADDRESS', 'RPC_PORT of every replica of the dispatch service.', ELSEWHERE)
  @Addresses()
  readonly dispatchAddress: readonly string[] = [];

  @Setting('WEBHOOKS_ADDRESS', 'RPC_PORT of every replica of the webhooks service.', ELSEWHERE)
  @Addresses()
  readonly webhooksAddress: readonly string[] = [];

  @Setting(
    'BILLING_RPC_SECRET',
    'Secret of internal calls to billing; callers without it are refused. During a rotation, give two separated by a comma; both are accepted.',
    { readBy: ['gateway', 'billing'], secret: true },
  )
  @Secrets()
  readonly billingRpcSecret: readonly string[] = [];

  @Setting(
    'DISPATCH_RPC_SECRET',
    'Secret of internal calls to dispatch; callers without it are refused. During a rotation, give two separated by a comma; both are accepted.',
    { readBy: ['gateway', 'dispatch'], secret: true },
  )
  @Secrets()
  readonly dispatchRpcSecret: readonly string[] = [];

  @Setting(
    'WEBHOOKS_RPC_SECRET',
    'Secret of internal calls to webhooks; callers without it are refused. During a rotation, give two separated by a comma; both are accepted.',
    { readBy: ['gateway', 'webhooks'], secret: true },
  )
  @Secrets()
  readonly webhooksRpcSecret: readonly string[] = [];

  @Setting(
    'RPC_TLS_DIR',
    'Directory with tls.crt, tls.key and ca.crt (PEM): the certificate of this process for internal calls, its key, and the only authority that it trusts.',
    { fallbackText: 'none: internal calls are not encrypted' },
  )
  @Text('path')
  readonly rpcTlsDir: string = '';
}
