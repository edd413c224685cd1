import { CLOCK, DATABASE } from '@watchword/platform';
import type { Transactional } from '@watchword/postgres';

import { Inject, Injectable } from '@nestjs/common';
import {
  type Clock,
  type EndpointId,
  TRIAL_WEBHOOKS_MAX,
  type WorkspaceId,
} from '@watchword/contracts';
import { ALLOW_LOOPBACK } from './endpoint-url.policy.js';
import type { Endpoint } from './endpoint.js';
import { EndpointStore } from './endpoint.store.js';
import { checkEndpoint, tooManyWebhooks } from './refusals.policy.js';
import { previousSecretExpiry } from './secret-rotation.policy.js';
import { newSecret } from './new-secret.js';

/** Injection token of `Closing`. */
export const CLOSING = Symbol('closing');

/** Fails the pending deliveries of an endpoint. */
export interface Closing {
  close(endpointId: EndpointId): Promise<void>;
}

/** Injection token of `Held`. */
export const HELD = Symbol('held');

/** Deliveries that wait because their endpoint is untested. */
export interface Held {
  /** The endpoints passed their test, or `endsTrial`: their workspace is no trial any more. */
  release(ids: readonly EndpointId[], why: { endsTrial: boolean }): Promise<void>;
}

/** Returns whether the host of the URL has to answer a test event first. */
export function needsTest(trial: boolean, url: string, before: Endpoint | null): boolean {
  if (!trial) return false;
  if (before === null || new URL(url).hostname !== new URL(before.url).hostname) return true;
  return before.untested;
}

/** The endpoint of variant A. */
@Injectable()
export class EndpointHandler {
  constructor(
    @Inject(DATABASE) private readonly database: Transactional,
    private readonly endpoints: EndpointStore,
    @Inject(CLOSING) private readonly closing: Closing,
    @Inject(HELD) private readonly held: Held,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ALLOW_LOOPBACK) private readonly allowLoopback: boolean,
  ) {}

  async put(
    workspaceId: WorkspaceId,
    { url, events, trial }: { url: string; events: readonly string[] | null; trial: boolean },
  ): Promise<Endpoint> {
    checkEndpoint({ url, events }, 'a', this.allowLoopback);
    const before = await this.endpoints.findOwn(workspaceId);
    if (before?.status === 'disabled') await this.closing.close(before.id);
    const at = this.now();
    const untested = needsTest(trial, url, before);
    const wanted = {
      url,
      events: events === null ? null : [...new Set(events)],
      secret: newSecret(),
      at,
      trial,
      untested,
      trialMax: TRIAL_WEBHOOKS_MAX,
    };
    const endpoint = await this.database.transaction((transaction) =>
      this.endpoints.within(transaction).putOwn(workspaceId, wanted),
    );
    if (!endpoint) throw tooManyWebhooks(trial);
    if (before?.untested && !untested) await this.held.release([endpoint.id], { endsTrial: true });
    return endpoint;
  }

  get(workspaceId: WorkspaceId): Promise<Endpoint | null> {
    return this.endpoints.findOwn(workspaceId);
  }

  async delete(workspaceId: WorkspaceId): Promise<boolean> {
    const id = await this.endpoints.deleteOwn(workspaceId, this.now());
    if (id !== null) await this.closing.close(id);
    return id !== null;
  }

  /** The secret before the last one stops signing at once: there are never more than two. */
  async rotateSecret(
    workspaceId: WorkspaceId,
  ): Promise<{ secret: string; previousExpiresAt: Date } | null> {
    const endpoint = await this.endpoints.findOwn(workspaceId);
    if (!endpoint) return null;
    const at = this.now();
    const previousExpiresAt = previousSecretExpiry(at);
    const secret = newSecret();
    const replacement = { secret, previousExpiresAt, at };
    const isReplaced = await this.endpoints.replaceSecret(endpoint, replacement);
    return isReplaced ? { secret, previousExpiresAt } : null;
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}
