/** The ways out of the server: of plugins, of the operator's own services, and to the marketplace. */
import path from 'node:path';
import type { Kernel } from '../../kernel/index.ts';
import {
  createNetwork,
  createOperatorFetch,
  createSourceFetch,
  type Network,
  type OperatorFetch,
  type SourceFetch,
} from '../net/index.ts';
import type { Ground } from './ground.ts';

/** The ways out. */
export interface WaysOut {
  /** Of plugins, to the hosts that they were granted. */
  readonly network: Network;
  /** To the services that the operator named. */
  readonly askService: OperatorFetch;
  /** To marketplace sources. */
  readonly askSource: SourceFetch;
}

/** Builds them, and offers plugins theirs. */
export function composeWaysOut(
  { config, built: { version }, clock, holds, log }: Ground,
  { plugins, provide }: Kernel,
): WaysOut {
  const network = createNetwork({
    cacheFolder: path.join(config.data, 'cache'),
    allowedHosts: config.netAllow,
    version,
    ratesOf: plugins.netRatesOf,
    lanesOf: plugins.netLanesOf,
    privateHosts: plugins.privateHostsOf,
    grantedHosts: (id) => plugins.grantedTo(id).net ?? [],
    openSecret: plugins.secrets.open,
    clock,
    log,
  });
  const sources = createSourceFetch({ allowedHosts: config.netAllow, version });
  const services = createOperatorFetch();
  holds(sources.close);
  holds(network.close);
  holds(services.close);
  provide(network.service);
  return { network, askService: services.fetch, askSource: sources.fetch };
}
