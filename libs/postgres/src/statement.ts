/**
 * A prepared statement. PostgreSQL parses and plans it once per connection and finds it by its
 * name.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const textByName = new Map<string, string>();

/**
 * Creates a statement. Names are unique in a process: two texts under one name would fail only at
 * run time.
 */
export function statement(name: string, text: string): Statement {
  const known = textByName.get(name);
  if (known !== undefined && known !== text) {
    throw new Error(`two statements are named ${name}`);
  }
  if (name.length > 63) throw new Error(`statement name ${name} is longer than 63 characters`);
  textByName.set(name, text);
  return { name, text };
}
