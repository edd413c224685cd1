export const SUPERUSER = 'watchword';
export const MAJOR_VERSION = '18';

export const serverEnvironment = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

/**
 * Durability is complete: fsync, synchronous_commit and full_page_writes stay on. The other
 * settings keep an idle server small (no I/O, parallel or replication workers) and its log free of
 * personal data (no statements, no DETAIL lines, which quote rows).
 */
export const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  min_wal_size: '256MB',
  wal_compression: 'pglz',
  jit: 'off',
  io_method: 'sync',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '2',
  autovacuum_naptime: '15s',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};
