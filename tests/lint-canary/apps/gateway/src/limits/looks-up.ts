/** The lint canary of layers: `limits` imports from `messages`, a layer above it. */
export { above } from '../messages/above.js';
