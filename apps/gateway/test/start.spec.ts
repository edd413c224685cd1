import { expect, it, jest } from '@jest/globals';
import { DatabaseUnavailable } from '@watchword/postgres';
import { testDatabase } from '@watchword/testing';
import { gatewayService } from '../src/index.js';
import { openGateway } from './gateway.kit.js';

it('starts on a database that answers too late at first', async () => {
  const { migrations } = gatewayService;
  const database = await testDatabase({ service: 'gateway', migrations });
  const query = jest.spyOn(database.pool, 'query');
  query.mockRejectedValueOnce(new DatabaseUnavailable(false, new Error('too late')));
  const gateway = await openGateway({}, database);
  try {
    expect(query.mock.calls[0]).toEqual(query.mock.calls[1]);
  } finally {
    query.mockRestore();
    await gateway.close();
  }
});
