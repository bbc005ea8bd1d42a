export { createBroker, type Broker, type BrokerParts } from './broker.ts';
export { usualLimits, type BrokerConfig, type BrokerLimits } from './service/config.ts';
export { fetchProof, resolveTxt } from './apps/domain-network.ts';
export type { FetchProof, ResolveTxt } from './apps/domain-proof.ts';
export { brokerErrors, type RefusalCode } from './service/errors.ts';
export { switchApp } from './operator.ts';
export { siteOf } from './service/site.ts';
