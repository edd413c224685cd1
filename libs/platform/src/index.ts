export * from './periodic.js';
export * from './service-definition.js';
