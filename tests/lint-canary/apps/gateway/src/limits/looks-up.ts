/** The lint canary of rooms: `limits` imports from `messages`, which stands above it. */
export { above } from '../messages/above.js';
