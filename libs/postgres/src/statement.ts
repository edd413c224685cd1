/** A prepared statement. PostgreSQL parses it once per connection and finds it by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly plan: Plan;
}

/**
 * When PostgreSQL plans a statement of a service: with the parameters of each call, or once for a
 * connection. `once` is for calls of functions, whose own plans know what to do on empty tables.
 * Planning such a call costs more than a tenth of running it.
 */
export type Plan = 'each time' | 'once';

const textByName = new Map<string, string>();

/**
 * Creates a statement. Names are unique in a process: two texts under one name would fail only at
 * run time.
 */
export function statement(name: string, text: string, plan: Plan = 'each time'): Statement {
  const known = textByName.get(name);
  if (known !== undefined && known !== text) {
    throw new Error(`two statements are named ${name}`);
  }
  if (name.length > 63) throw new Error(`statement name ${name} is longer than 63 characters`);
  textByName.set(name, text);
  return { name, text, plan };
}
