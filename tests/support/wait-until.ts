export { waitUntil } from '../../libs/testing/src/wait-until.ts';
