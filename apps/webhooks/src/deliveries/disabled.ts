/** Injection token of what acts on disabled endpoints. */
export const DISABLED = Symbol('disabled endpoints');

export interface Disabled {
  /** Endpoints were disabled just now. */
  wake(): void;
}
