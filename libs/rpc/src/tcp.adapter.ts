import type { CallsOf, ServiceCalls, ServiceName } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Rpc } from './rpc.port.js';
import { ServedCalls } from './served-calls.js';
import { CallServer, type TlsFiles } from './tcp/call-server.js';
import { Peer } from './tcp/peer.js';
import { ServiceCaller } from './tcp/service-caller.js';

export interface TcpRpcOptions {
  /** Secrets that open connections to services without their own. */
  sharedSecrets: readonly string[];
  /** Secrets per service. A caller needs a secret of the service that it calls. */
  secrets?: Readonly<Partial<Record<ServiceName, readonly string[]>>>;
  /** The services that answer here. */
  services?: readonly ServiceName[];
  tls?: TlsFiles;
  logger: Logger;
  /** `host:port` of every replica of the called services. */
  addresses?: Readonly<Partial<Record<ServiceName, readonly string[]>>>;
}

/**
 * Internal calls between processes, over Nest's TCP transport. It adds replicas, one frame for the
 * calls of one turn, deadlines that the callee knows, the secret, and an immediate error when a
 * service is unavailable.
 */
export class TcpRpc implements Rpc {
  private readonly served = new ServedCalls();
  private readonly callers = new Map<ServiceName, ServiceCaller>();
  private readonly peers: Peer[] = [];
  private server: CallServer | undefined;

  constructor(private readonly options: TcpRpcOptions) {}

  serve<Declared extends ServiceCalls>(
    declared: Declared,
    implementation: CallsOf<Declared>,
  ): void {
    this.served.add(declared, implementation);
  }

  client<Declared extends ServiceCalls>(declared: Declared): CallsOf<Declared> {
    const { service, calls } = declared;
    const caller = this.callers.get(service) ?? this.newCaller(service);
    const functions: Record<string, (request: unknown) => Promise<unknown>> = {};
    for (const [name, call] of Object.entries(calls)) {
      functions[name] = (request) => caller.invoke(name, call, request);
    }
    return functions as CallsOf<Declared>;
  }

  /** Returns, for each called service, whether one of its replicas is available. */
  reachable(): Record<string, boolean> {
    return Object.fromEntries(
      [...this.callers].map(([service, caller]) => [service, caller.reachable]),
    );
  }

  /** Answers calls at this address. Resolves with the port. */
  listen(host: string, port: number): Promise<number> {
    const { services, tls } = this.options;
    const { sharedSecrets } = this.options;
    const secrets = services?.flatMap((service) => this.secretsOf(service)) ?? sharedSecrets;
    this.server = new CallServer(this.served, { host, port, secrets, tls });
    return this.server.listen();
  }

  /** Accepts no more calls. Resolves when the current ones are answered. */
  async leave(): Promise<void> {
    await this.server?.leave();
  }

  async close(): Promise<void> {
    this.server?.close();
    await Promise.all(this.peers.map((peer) => peer.close()));
  }

  /** Creates the caller of a service, which keeps connections to its replicas from then on. */
  private newCaller(service: ServiceName): ServiceCaller {
    const addresses = this.options.addresses?.[service] ?? [];
    if (addresses.length === 0) throw new Error(`no address of ${service} is known`);
    const peers = addresses.map((address) => this.newPeer(service, address));
    const caller = new ServiceCaller(service, peers);
    this.peers.push(...peers);
    this.callers.set(service, caller);
    return caller;
  }

  private secretsOf(service: ServiceName): readonly string[] {
    const own = this.options.secrets?.[service] ?? [];
    return own.length > 0 ? own : this.options.sharedSecrets;
  }

  private newPeer(service: ServiceName, address: string): Peer {
    const { logger, tls } = this.options;
    const secrets = this.secretsOf(service);
    const colon = address.lastIndexOf(':');
    return new Peer({
      host: address.slice(0, colon).replace(/^\[|\]$/g, ''),
      port: Number(address.slice(colon + 1)),
      secrets,
      tls,
      onAvailable: () => logger.info({ callee: service, address }, 'a service can be called'),
      onUnavailable: (reason) =>
        logger.warn({ callee: service, address, reason }, 'service unavailable, retrying'),
    });
  }
}
