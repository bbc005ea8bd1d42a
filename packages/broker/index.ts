export { createBroker, type Broker, type BrokerParts } from './broker.ts';
export { usualLimits, type BrokerConfig, type BrokerLimits } from './config.ts';
export { fetchProof, resolveTxt } from './domain-network.ts';
export type { FetchProof, ResolveTxt } from './domain-proof.ts';
export { brokerErrors, type RefusalCode } from './errors.ts';
export { switchApp } from './operator.ts';
export { siteOf } from './site.ts';
