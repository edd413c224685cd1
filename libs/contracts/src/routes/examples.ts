/** Values that the examples of the API share. */
export const EXAMPLE_NUMBER = '+2348031234567';
export const EXAMPLE_ID = '01890000-0000-7000-8000-000000000000';
export const EXAMPLE_EVENT_ID = `evt_${EXAMPLE_ID.replaceAll('-', '')}`;
export const EXAMPLE_TIME = '2026-11-22T14:05:09.123Z';
