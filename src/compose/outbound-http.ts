/** Outbound HTTP: of plugins, to services of the operator, and to marketplace sources. */
import path from 'node:path';
import type { Kernel } from '../../kernel/index.ts';
import {
  createNetwork,
  createOperatorFetch,
  createSourceFetch,
  type Network,
  type OperatorFetch,
  type SourceFetch,
} from '../platform/net/index.ts';
import type { Infrastructure } from './infrastructure.ts';

export interface OutboundHttp {
  /** Requests of plugins, to the hosts that they were granted. */
  readonly network: Network;
  /** Requests to services that the operator configured. */
  readonly operatorFetch: OperatorFetch;
  /** Requests to marketplace sources. */
  readonly sourceFetch: SourceFetch;
}

/** Builds it, and provides the host service of plugins. */
export function composeOutboundHttp(
  { config, built: { version }, ownAddresses: own, clock, holds, log }: Infrastructure,
  { plugins, provide }: Kernel,
): OutboundHttp {
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
  return { network, operatorFetch: services.fetch, sourceFetch: sources.fetch };
}
