import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@watchword/config';
import type { CallsOf, ServiceCalls } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { InProcessRpc, type Rpc, TcpRpc, type TlsFiles } from '@watchword/rpc';
import { explain, internalPlace } from '../listening-address.js';
import { UserError } from '../user-error.js';

/** Calls to services of this process are function calls. Calls to others go over the network. */
export class HostRpc implements Rpc {
  private readonly near = new InProcessRpc();
  private readonly far: TcpRpc;

  constructor(
    private readonly config: Config,
    logger: Logger,
  ) {
    const { services } = config;
    const secrets = {
      billing: config.billingRpcSecret,
      dispatch: config.dispatchRpcSecret,
      webhooks: config.webhooksRpcSecret,
    };
    const known = {
      billing: config.billingAddress,
      dispatch: config.dispatchAddress,
      webhooks: config.webhooksAddress,
    };
    const elsewhere = Object.entries(known).filter(
      ([service, addresses]) => addresses.length > 0 && !services.some((name) => name === service),
    );
    const addresses = Object.fromEntries(elsewhere);
    const tls = tlsOf(config);
    this.far = new TcpRpc({ sharedSecrets: [], secrets, services, tls, logger, addresses });
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

  /** Returns, for each service elsewhere, whether it is reachable. */
  reachable(): Record<string, boolean> {
    return this.far.reachable();
  }

  /** Listens for calls of other processes, if the settings say so. */
  async listen(): Promise<void> {
    const { rpcPort, internalHost } = this.config;
    if (rpcPort === 0) return;
    await this.far.listen(internalHost, rpcPort).catch((error: NodeJS.ErrnoException) => {
      throw explain(error, internalPlace(this.config, 'RPC_PORT', rpcPort));
    });
  }

  /** Accepts no more calls of other processes, and answers the open ones. */
  async leave(): Promise<void> {
    if (this.config.rpcPort > 0) await this.far.leave();
  }

  close(): Promise<void> {
    return this.far.close();
  }
}

function tlsOf({ rpcTlsDir: directory }: Config): TlsFiles | undefined {
  if (directory === '') return undefined;
  const of = (name: string) => read(join(directory, name));
  return { cert: of('tls.crt'), key: of('tls.key'), ca: of('ca.crt') };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`${file} of RPC_TLS_DIR cannot be read: ${(error as Error).message}`);
  }
}
