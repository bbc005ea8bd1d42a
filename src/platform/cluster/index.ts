export { clusterMigrations } from './cluster-migrations.ts';
export { openCluster, type Cluster, type Singleton } from './cluster.ts';
