import type { ClientBase } from 'pg';
import type { Plan } from './statement.js';

const MODES: Readonly<Record<Plan, string>> = {
  'each time': 'force_custom_plan',
  once: 'force_generic_plan',
};

/**
 * How each connection plans now. Statements of one kind follow one another on the connection that
 * was used last, so it rarely has to change. New connections plan each time.
 */
export class ConnectionPlans {
  private readonly once = new WeakSet<ClientBase>();

  /** Returns the statement that has to run before one with this plan. Null if there is none. */
  changeTo(plan: Plan, client: ClientBase): string | null {
    const isOnce = plan === 'once';
    return isOnce === this.once.has(client) ? null : `SET plan_cache_mode = ${MODES[plan]}`;
  }

  changed(plan: Plan, client: ClientBase): void {
    if (plan === 'once') this.once.add(client);
    else this.once.delete(client);
  }
}
