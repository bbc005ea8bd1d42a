import { Type } from '@sinclair/typebox';
import { List, Named, OneOf, Timestamp, type Shape } from '../schema-parts.ts';
import { serverRoles } from './operations.ts';

const ServerReply = Named(
  'Server',
  Type.Object(
    {
      id: Type.String({ description: 'Of this run of the server' }),
      address: Type.String({ description: 'Host and port at which it listens' }),
      roles: List(OneOf(serverRoles)),
      version: Type.String(),
      startedAt: Timestamp,
      lastBeatAt: Timestamp,
      state: OneOf(['present', 'missing'], {
        description: 'missing: it gave no sign for ten seconds',
      }),
      isLeader: Type.Boolean(),
      isThis: Type.Boolean({ description: 'It answers this request' }),
      differences: List(
        Type.Object({
          what: OneOf(['version', 'settings', 'plugins', 'clock', 'lacking']),
          detail: Type.String({ description: 'Names of settings, ids of plugins, or seconds' }),
        }),
        { description: 'What differs from the leader, and plugins that it lacks' },
      ),
    },
    { description: 'One of the servers that share a database' },
  ),
);

/** A server as admins see it. */
export type ServerState = Shape<typeof ServerReply>;

export const ServersReply = Type.Object({ servers: List(ServerReply) });
