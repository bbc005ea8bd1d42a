export { createBroker, type Broker, type BrokerParts } from './broker.ts';
export { usualLimits, type BrokerConfig, type BrokerLimits } from './config.ts';
export { brokerErrors, type RefusalCode } from './errors.ts';
export type { FetchProof, ResolveTxt } from './domain-proof.ts';
export { siteOf } from './site.ts';
