import type { Config } from '@watchword/config';
import type { CallsOf, ServiceCalls } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { InProcessRpc, TcpRpc } from '@watchword/rpc';
import type { Rpc } from '@watchword/rpc';
import { explain, internalPlace } from '../listening-address.js';

/** Calls to services of this process are function calls; those to others go over the network. */
export class HostRpc implements Rpc {
  private readonly near = new InProcessRpc();
  private readonly far: TcpRpc;

  constructor(
    private readonly config: Config,
    logger: Logger,
  ) {
    const { services, rpcSecret: secret } = config;
    const known = {
      billing: config.billingAddress,
      dispatch: config.dispatchAddress,
      webhooks: config.webhooksAddress,
    };
    const elsewhere = Object.entries(known).filter(
      ([service, addresses]) => addresses.length > 0 && !services.some((name) => name === service),
    );
    this.far = new TcpRpc({ secret, logger, addresses: Object.fromEntries(elsewhere) });
  }

  serve<Declared extends ServiceCalls>(
    declared: Declared,
    implementation: CallsOf<Declared>,
  ): void {
    this.near.serve(declared, implementation);
    this.far.serve(declared, implementation);
  }

  client<Declared extends ServiceCalls>(declared: Declared): CallsOf<Declared> {
    const { services } = this.config;
    return (services.includes(declared.service) ? this.near : this.far).client(declared);
  }

  /** Of the services that are elsewhere. */
  reachable(): Record<string, boolean> {
    return this.far.reachable();
  }

  /** Answers other processes, where the settings say so. */
  async listen(): Promise<void> {
    const { rpcPort, internalHost } = this.config;
    if (rpcPort === 0) return;
    await this.far.listen(internalHost, rpcPort).catch((error: NodeJS.ErrnoException) => {
      throw explain(error, internalPlace(this.config, 'RPC_PORT', rpcPort));
    });
  }

  /** Takes no more calls of others, and answers those in hand. */
  async leave(): Promise<void> {
    if (this.config.rpcPort > 0) await this.far.leave();
  }

  close(): Promise<void> {
    return this.far.close();
  }
}
