export { carriedServers } from './carried-servers.ts';
export { clusterMigrations } from './cluster-migrations.ts';
export { openCluster, type Cluster, type Singleton } from './cluster.ts';
export { readMembers } from './members.ts';
export type { Difference, LackedPlugins, Member, MemberFacts } from './member.ts';
export { runningServers } from './shared-store.ts';
