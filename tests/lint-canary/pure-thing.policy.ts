/**
 * The lint canary: this file breaks the import rules on purpose. `npm run lint` fails unless they catch it.
 * Nothing imports it, and nothing compiles it.
 */
import { Pool } from 'pg';

export const pool = Pool;
