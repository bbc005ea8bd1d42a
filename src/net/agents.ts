/**
 * The connections of plugins. All plugins share theirs, but one that an admin lets reach hosts of the
 * own network, or that has lanes, has connections of its own: what was opened for it serves no other.
 * When the admin takes a host back, its connections are closed before the next request.
 */
import type { Agent } from 'undici';
import { createAllowedHosts } from './allowed-hosts.ts';
import { createGuardedAgent, type Lookup } from './guarded-agent.ts';

/** Connections by plugin. */
export interface Agents {
  readonly agentOf: (pluginId: string) => Promise<Agent>;
  /** Whether the plugin may reach the host (with its port) wherever it is. */
  readonly isAllowed: (host: string, pluginId: string) => boolean;
  /** Cuts all connections. */
  readonly close: () => Promise<void>;
}

/** What decides on connections. */
export interface AgentsParts {
  /** `HOST[:PORT]` that the operator lets every plugin reach. */
  readonly allowedHosts: readonly string[];
  /** Those that an admin lets one plugin reach. */
  readonly privateHosts?: (pluginId: string) => readonly string[];
  readonly lanesOf: (pluginId: string) => number;
  readonly lookup?: Lookup;
}

interface OwnAgent {
  /** The hosts that it was made for. */
  readonly hosts: string;
  readonly agent: Promise<Agent>;
}

/** More lanes than these need more connections to one origin than there are. */
const sharedConnections = 8;

/** Creates them; nothing is loaded or opened before the first request. */
export function createAgents(parts: AgentsParts): Agents {
  const { lanesOf, privateHosts = () => [] } = parts;
  const isOperators = createAllowedHosts(parts.allowedHosts);
  const lookup = parts.lookup === undefined ? {} : { lookup: parts.lookup };
  const own = new Map<string, OwnAgent>();
  let shared: Promise<Agent> | undefined;

  const isAllowed = (host: string, pluginId: string): boolean =>
    isOperators(host) || createAllowedHosts(privateHosts(pluginId))(host);

  function ownAgent(pluginId: string): Promise<Agent> {
    const hosts = JSON.stringify(privateHosts(pluginId));
    const known = own.get(pluginId);
    if (known?.hosts === hosts) return known.agent;
    // What is under way ends with an error that can be tried again: it may be what must end.
    void known?.agent.then((agent) => agent.destroy());
    const agent = createGuardedAgent({
      isAllowed: (host) => isAllowed(host, pluginId),
      connections: Math.max(sharedConnections, lanesOf(pluginId)),
      ...lookup,
    });
    own.set(pluginId, { hosts, agent });
    return agent;
  }

  return {
    isAllowed,
    agentOf: (pluginId) => {
      const isApart = own.has(pluginId) || lanesOf(pluginId) > 1;
      if (isApart || privateHosts(pluginId).length > 0) return ownAgent(pluginId);
      return (shared ??= createGuardedAgent({ isAllowed: isOperators, ...lookup }));
    },
    close: async () => {
      const open = [shared, ...[...own.values()].map(({ agent }) => agent)];
      await Promise.all(open.map(async (agent) => (await agent)?.destroy()));
    },
  };
}
