export { stopSharedSystem as default } from './shared-system.setup.mjs';
