import type { HttpClient } from '../support/http.ts';
import type { Operator } from '../support/operator.ts';

/** Limits of a workspace of the side load. */
export const UNLIMITED = {
  key_per_minute: null,
  workspace_per_minute: null,
  variant_b_per_second: null,
  variant_b_burst: null,
};

/** What a part of the side load works on. */
export interface Around {
  http: HttpClient;
  operator: Operator;
  /** Another one after each start. */
  simulator: () => HttpClient;
}
