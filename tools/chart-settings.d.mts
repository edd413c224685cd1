import type { ServiceName } from '@watchword/config';

export declare const DECIDED_BY_CHART: Readonly<Record<ServiceName, readonly string[]>>;
