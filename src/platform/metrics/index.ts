export { databaseBytes } from './database-bytes.ts';
export { createMetrics, type Exposition, type Metrics } from './metrics.ts';
export type { MetricSources } from './metric-sources.ts';
export type { SeenCall, SeenRequest, SeenTranscode, SeenWrite } from './seen.ts';
