export * from './away.js';
export * from './bounded-map.js';
export * from './key-ring.js';
export * from './once-available.js';
export * from './patience.js';
export * from './periodic.js';
export * from './service-definition.js';
export * from './within.js';
