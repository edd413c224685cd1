/** Injection token of what acts on disabled endpoints. */
export const DISABLED = Symbol('disabled endpoints');

export interface Disabled {
  /** Called when endpoints have just been disabled. */
  wake(): void;
}
