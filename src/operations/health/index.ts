export { createHealth, healthStatuses } from './health.ts';
export type { Health, HealthParts, HealthStatus, PluginHealth, PluginStates } from './health.ts';
export { createRefusalAudit } from './refusal-audit.ts';
export type { RefusalAudit, RefusalAuditParts } from './refusal-audit.ts';
export { createStats, type Stats, type StatsParts, type TaskStats } from './stats.ts';
