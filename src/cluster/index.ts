export { clusterMigrations } from './cluster-migrations.ts';
export { openCluster, type Cluster, type Duty } from './cluster.ts';
