/** By its path: who knows the product by its address alone loads none of its packages. */
export { waitUntil } from '../../libs/testing/src/wait-until.ts';
