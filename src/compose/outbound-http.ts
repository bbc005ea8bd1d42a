/** Outbound HTTP: of plugins, to services of the operator, and to marketplace sources. */
import path from 'node:path';
import type { Kernel } from '../../kernel/index.ts';
import { createNetwork, createOperatorFetch, createSourceFetch } from '../platform/net/index.ts';
import type { Infrastructure } from './infrastructure.ts';

export type OutboundHttp = ReturnType<typeof composeOutboundHttp>;

/** Builds it, and provides the host service of plugins. */
export function composeOutboundHttp(
  { config, built: { version }, ownAddresses: own, clock, holds, log }: Infrastructure,
  { plugins, provide }: Kernel,
) {
  const network = createNetwork({
    cacheFolder: path.join(config.data, 'cache'),
    allowedHosts: config.netAllow,
    version,
    contact: config.contact,
    ratesOf: plugins.registry.netRatesOf,
    lanesOf: plugins.registry.netLanesOf,
    mayPause: (id) => plugins.providers.allOf('webhooks').includes(id),
    privateHosts: plugins.configuration.privateHostsOf,
    enteredHosts: plugins.configuration.enteredHostsOf,
    grantedHosts: (id) => plugins.grants.powersOf(id).net ?? [],
    openSecret: plugins.secrets.open,
    own,
    clock,
    log,
  });
  const sources = createSourceFetch({ allowedHosts: config.netAllow, version });
  const services = createOperatorFetch();
  holds(sources.close);
  holds(network.close);
  holds(services.close);
  provide(network.service);
  return {
    /** Requests of plugins, to the hosts that they were granted. */
    network /** Requests to services that the operator configured. */,
    operatorFetch: services.fetch /** Requests to marketplace sources. */,
    sourceFetch: sources.fetch,
  };
}
