import type { CarrierRecord } from '@watchword/contracts';
import type { CarrierChoices } from './route-table.policy.js';

/** Live carrier accounts of a channel, as operators see and steer them. */
export interface ControlledAccounts {
  /** Whether accounts can be preferred in countries. */
  readonly hasCountries: boolean;
  /** Returns this process's view of each account. */
  list(): readonly CarrierRecord[];
  /** Applies the current decisions of operators. */
  follow(choices: CarrierChoices): void;
}
