/** Limits of the size of a request's body. */
export interface BodyBounds {
  /** Most bytes. A larger body gets 413. */
  readonly bytesMax: number;
  /** Most objects, arrays and scalars. A body with more gets 400. */
  readonly valuesMax: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const VALUES_MAX = 10_000;

export const BODY_BOUNDS = {
  usual: { bytesMax: MIB, valuesMax: VALUES_MAX },
  /** For routes that send, check or price one message. */
  oneMessage: { bytesMax: 64 * KIB, valuesMax: VALUES_MAX },
  batch: { bytesMax: 5 * MIB, valuesMax: 100_000 },
  email: { bytesMax: 10 * MIB, valuesMax: VALUES_MAX },
  emailBatch: { bytesMax: 10 * MIB, valuesMax: 100_000 },
} as const satisfies Record<string, BodyBounds>;
