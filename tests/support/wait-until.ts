/** Imported by path, because black-box tests load no packages of the product. */
export { waitUntil } from '../../libs/testing/src/wait-until.ts';
