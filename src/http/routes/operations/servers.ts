import * as schema from '../../../contract/resources/operations/servers.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'operations', access: 'admin' } as const;

/** The servers that share the database. */
export const serverRoutes = routes<{
  readonly servers: () => Promise<readonly schema.ServerState[]>;
}>(shared, (route, { servers }) => {
  route('GET /api/servers', {
    holdsNoSecret: true,
    operation: 'getServers',
    summary: 'The servers that share the database, who leads, and what differs',
    reply: schema.ServersReply,
    handler: async () => ({ servers: await servers() }),
  });
});
