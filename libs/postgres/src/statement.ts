/** A statement with a name, which is that of its text in a process. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly plan: Plan;
}

/**
 * When PostgreSQL plans a statement. `each time`: with the parameters of the call; it is parsed each
 * time, too. For look-ups with a plan that depends on the tables' content. `once`: it is prepared
 * under its name, and after five calls a connection keeps its plan. For calls of functions: their
 * own plans are right even on empty tables. Planning such a call costs more than a tenth of running
 * it.
 */
export type Plan = 'each time' | 'once';

const known = new Map<string, Statement>();

/**
 * Creates a statement. Names are unique in a process: two texts under one name would fail only at
 * run time.
 */
export function statement(name: string, text: string, plan: Plan = 'each time'): Statement {
  const other = known.get(name);
  if (other !== undefined && (other.text !== text || other.plan !== plan)) {
    throw new Error(`two statements are named ${name}`);
  }
  if (name.length > 63) throw new Error(`statement name ${name} is longer than 63 characters`);
  const made = { name, text, plan };
  known.set(name, made);
  return made;
}

/** The driver's argument. PostgreSQL keeps the plans of statements with a name only. */
export function queryOf(statement: Statement | string): { name?: string; text: string } {
  if (typeof statement === 'string') return { text: statement };
  const { name, text, plan } = statement;
  return plan === 'once' ? { name, text } : { text };
}
