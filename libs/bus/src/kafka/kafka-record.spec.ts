import { expect, it } from '@jest/globals';
import { receivedRecord } from './kafka-record.js';

it('a record of another program may have headers without a value, no key and no value', () => {
  const headers = { ce_id: Buffer.from('1'), note: null, twice: [Buffer.from('a'), 'b'], none: [] };
  expect(receivedRecord({ key: null, value: null, headers })).toEqual({
    key: '',
    value: '',
    headers: { ce_id: '1', twice: 'a' },
  });
});
