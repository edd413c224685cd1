export interface Facts {
  isGo?: boolean;
  key?: string;
  userAgent?: string;
}

export function requestOf(step: Record<string, unknown>, client: Record<string, unknown>): never;
export function differences(
  expect: Record<string, unknown>,
  given: unknown,
  requests: unknown[],
  facts: Facts,
): string[];
