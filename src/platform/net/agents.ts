/**
 * The connections of plugins. All plugins share an agent, except one that an admin lets reach
 * private hosts, or that has lanes: it has its own connections, which serve no other plugin. When
 * the admin removes such a host, the connections are closed before the next request.
 */
import type { Agent } from 'undici';
import type { KernelError } from '../../../kernel/index.ts';
import { createAllowedHosts } from './allowed-hosts.ts';
import { createGuardedAgent, refusalOf, type Lookup } from './guarded-agent.ts';
import type { OwnAddresses } from './own-addresses.ts';

/** Agents by plugin. */
export type Agents = ReturnType<typeof createAgents>;

/** What decides about connections. */
export interface AgentsParts {
  /** `HOST[:PORT]` that the operator lets every plugin reach. */
  readonly allowedHosts: readonly string[];
  /** Hosts that an admin lets one plugin reach. */
  readonly privateHosts?: (pluginId: string) => readonly string[];
  readonly lanesOf: (pluginId: string) => number;
  readonly lookup?: Lookup;
  /** Where this server is, which no plugin reaches. */
  readonly own?: OwnAddresses | undefined;
}

interface OwnAgent {
  /** The hosts for which it was made. */
  readonly hosts: string;
  readonly agent: Promise<Agent>;
}

/** With more lanes, a plugin needs more connections to one origin than the shared agent has. */
const sharedConnections = 8;

/** Creates them; nothing is loaded or opened before the first request. */
export function createAgents(parts: AgentsParts) {
  const { lanesOf, privateHosts = () => [] } = parts;
  const isOperators = createAllowedHosts(parts.allowedHosts);
  const { own: ownAddresses } = parts;
  const common = {
    own: ownAddresses,
    ...(parts.lookup !== undefined && { lookup: parts.lookup }),
  };
  const own = new Map<string, OwnAgent>();
  let shared: Promise<Agent> | undefined;

  /** Whether the plugin may reach the host (with its port) at any address. */
  const isAllowed = (host: string, pluginId: string): boolean =>
    isOperators(host) || createAllowedHosts(privateHosts(pluginId))(host);

  function ownAgent(pluginId: string): Promise<Agent> {
    const hosts = JSON.stringify(privateHosts(pluginId));
    const known = own.get(pluginId);
    if (known?.hosts === hosts) return known.agent;
    // Requests under way fail with a retryable error, since they may use the removed host.
    void known?.agent.then((agent) => agent.destroy());
    const agent = createGuardedAgent({
      isAllowed: (host) => isAllowed(host, pluginId),
      connections: Math.max(sharedConnections, lanesOf(pluginId)),
      ...common,
    });
    own.set(pluginId, { hosts, agent });
    return agent;
  }

  return {
    isAllowed,
    /** Why the plugin gets no connection to the host of the URL now; `null` = it gets one. */
    refusalOf: (url: URL, pluginId: string): Promise<KernelError | null> =>
      refusalOf(url, { isAllowed: (host) => isAllowed(host, pluginId), ...common }),
    agentOf: (pluginId: string): Promise<Agent> => {
      const isApart = own.has(pluginId) || lanesOf(pluginId) > 1;
      if (isApart || privateHosts(pluginId).length > 0) return ownAgent(pluginId);
      return (shared ??= createGuardedAgent({ isAllowed: isOperators, ...common }));
    },
    /** Closes all connections. */
    close: async (): Promise<void> => {
      const open = [shared, ...[...own.values()].map(({ agent }) => agent)];
      await Promise.all(open.map(async (agent) => (await agent)?.destroy()));
    },
  };
}
