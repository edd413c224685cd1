import { jest } from '@jest/globals';
import type { TestGateway } from './gateway.kit.js';

/** Returns the texts of the statements while `act` runs. */
export async function statementsOf(
  { platform }: Pick<TestGateway, 'platform'>,
  act: () => Promise<unknown>,
): Promise<string[]> {
  const query = jest.spyOn(platform.database.pool, 'query');
  try {
    await act();
    const statements = query.mock.calls as unknown as [string | { text: string }][];
    return statements.map(([statement]) =>
      typeof statement === 'string' ? statement : statement.text,
    );
  } finally {
    query.mockRestore();
  }
}
