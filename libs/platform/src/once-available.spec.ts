import { describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailable } from '@watchword/postgres';
import { ServiceUnavailable } from '@watchword/rpc';
import { onceAvailable } from './once-available.js';

const away = new ServiceUnavailable('billing', 'openAccount');

describe('a call at the start', () => {
  it('is made again while the service or its database is away', async () => {
    const ask = jest.fn<() => Promise<string>>();
    ask.mockRejectedValueOnce(away).mockRejectedValueOnce(new DatabaseUnavailable(false, null));
    ask.mockResolvedValueOnce('there');
    expect(await onceAvailable(ask)).toBe('there');
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('ends with patience, and at once with any other error', async () => {
    await expect(onceAvailable(() => Promise.reject(away), -1)).rejects.toBe(away);
    const mistake = new Error('a mistake');
    const ask = jest.fn(() => Promise.reject(mistake));
    await expect(onceAvailable(ask)).rejects.toBe(mistake);
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
