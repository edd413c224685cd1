import type { Installation } from './installation.js';

/** The services this host runs, and what puts the demo workspace in its place. */
export const installation: Installation = {
  definitions: [],
};
