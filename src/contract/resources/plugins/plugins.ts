import { Type } from '@sinclair/typebox';
import { Plugin } from './plugin.ts';

import { failureKinds, type FailureKind } from '../../../../kernel/index.ts';
import {
  CommaList,
  JsonMap,
  List,
  Named,
  Nullable,
  OneOf,
  Timestamp,
  nextCursor,
  shortListQuery,
  type Wanted,
} from '../schema-parts.ts';

const Skipped = Named(
  'SkippedPlugin',
  Type.Object({
    key: Type.String(),
    id: Type.String(),
    name: Type.String(),
    version: Type.String(),
    minVersion: Type.String(),
    appVersion: Type.String(),
    path: Type.String(),
    reason: OneOf([
      'invalid-manifest',
      'incompatible-version',
      'missing-dependency',
      'duplicate-id',
      'missing-entry',
      'invalid-signature',
      'revoked',
      'permissions-pending',
    ]),
    message: Type.String(),
  }),
);

export const PluginsQuery = Type.Object({
  capability: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  mediaTypes: Type.Optional(
    CommaList(Type.String({ minLength: 1, maxLength: 100 }), 'Plugins that have any of them'),
  ),
  ...shortListQuery,
});

export const PluginsReply = Type.Object({
  plugins: List(Plugin),
  skipped: List(Skipped, { description: 'For admins only' }),
  nextCursor,
});

export const RescanReply = Type.Object({
  found: List(Plugin, { description: 'New plugins' }),
  changed: List(Plugin, { description: 'Plugins whose manifest or code changed' }),
  removed: List(Type.String(), { description: 'Ids of plugins whose folder is gone' }),
  skipped: List(Skipped, { description: 'What of these folders does not run, and why' }),
});

export const PluginReply = Type.Object({ plugin: Plugin });

/** A bare map of key to value; the plugin's own form validates it. */
export const ConfigurationValues = JsonMap;

export const LogsReply = Type.Object({
  lines: List(
    Named(
      'PluginLogLine',
      Type.Object({
        time: Timestamp,
        level: OneOf(['debug', 'info', 'warn', 'error']),
        text: Type.String(),
        failure: Type.Optional(
          Type.Object(
            {
              kind: OneOf(failureKinds),
              handler: Type.String({ description: '`hook pipeline.index.afterProcess`' }),
              message: Type.String(),
              durationMs: Nullable(Type.Number({ minimum: 0 })),
              stack: List(Type.String(), {
                description: 'Places in the files of the plugin, the innermost first',
              }),
            },
            { description: 'For lines about a failure of the plugin' },
          ),
        ),
      }),
    ),
    { description: 'Oldest first' },
  ),
  nextCursor,
});

const Count = Type.Integer({ minimum: 0 });

const Refusal = Named(
  'PluginRefusal',
  Type.Object({
    call: Type.String({ description: '`net.fetch`' }),
    subject: Nullable(Type.String({ description: 'A host, a library, a folder, a type of jobs' })),
    permission: Nullable(Type.String()),
    code: Type.String(),
    message: Type.String({ description: 'Why, as the plugin was told' }),
    count: Count,
    firstAt: Timestamp,
    lastAt: Timestamp,
  }),
);

const Quota = Named(
  'PluginQuota',
  Type.Object({
    quota: OneOf([
      'memory',
      'processMemory',
      'cpu',
      'hostCalls',
      'hostBytes',
      'eventQueue',
      'kv',
      'textIndex',
      'package',
      'disk',
      'log',
    ]),
    unit: OneOf(['bytes', 'ms/s', 'calls/min', 'bytes/min', 'events', 'lines']),
    used: Type.Number({ minimum: 0 }),
    limit: Nullable(
      Type.Number({ minimum: 0, description: 'null = no limit: a part of the server' }),
    ),
  }),
);

const Point = Named(
  'PluginUsagePoint',
  Type.Object({
    at: Timestamp,
    calls: Count,
    hostCalls: Count,
    refused: Count,
    cpuMs: Type.Number(),
    pausedMs: Type.Number(),
    bytesIn: Count,
    bytesOut: Count,
    eventsDropped: Count,
    restarts: Count,
    memoryPeakBytes: Count,
    queuePeak: Count,
  }),
);

export const UsageReply = Type.Object({
  usage: Named(
    'PluginUsage',
    Type.Object(
      {
        calls: Count,
        timeouts: Count,
        unknownHandlers: Count,
        viewerCalls: Type.Integer({
          minimum: 0,
          description: 'Calls for a person: views, actions, searches',
        }),
        turnedAway: Type.Integer({
          minimum: 0,
          description: 'Views and actions that were answered 429, since a user asked too often',
        }),
        cpuMs: Type.Number(),
        memoryBytes: Count,
        droppedEvents: Count,
        hostCalls: Count,
        refusedCalls: Count,
        pausedMs: Type.Number({ description: 'How long it waited for processor time' }),
        processBytes: Type.Integer({
          minimum: 0,
          description: 'The recent maximum of its process; 0 if it shares one',
        }),
        bytesIn: Count,
        bytesOut: Count,
        restarts: Count,
        queuedEvents: Count,
        failures: Type.Object(
          {
            total: Count,
            kinds: Type.Partial(
              Type.Object(
                Object.fromEntries(failureKinds.map((kind) => [kind, Count])) as Record<
                  FailureKind,
                  typeof Count
                >,
              ),
            ),
            handlers: List(
              Type.Object({
                handler: Type.String(),
                count: Count,
                kind: OneOf(failureKinds),
                message: Type.String({ description: 'Of the latest failure, like the kind' }),
                lastAt: Timestamp,
              }),
              { description: 'The latest first' },
            ),
          },
          { description: 'Failures by kind and handler' },
        ),
        powers: List(Type.Object({ permission: Type.String(), uses: Count, refused: Count }), {
          description: 'How often each permission was used, including refused uses',
        }),
        refusals: List(Refusal, {
          description: 'The last 100, the latest first; equal ones are one entry',
        }),
        quotas: List(Quota, { description: 'How much of each quota is used now' }),
        chart: List(Point, { description: 'The last 60 minutes; the last one is incomplete' }),
        net: Type.Object(
          { requests: Count, failures: Count, cached: Count, receivedBytes: Count },
          { description: 'Of `host.net`: requests, failures, cache hits' },
        ),
      },
      { description: 'Since the server started' },
    ),
  ),
});

/** The libraries and folders of a grant. The domain checks that they exist. */
const PickedLibraries = Type.Union(
  [
    Type.Literal('all'),
    List(
      Type.Object(
        {
          id: Type.String({ minLength: 1, maxLength: 100 }),
          folders: Type.Optional(
            List(
              Type.String({
                minLength: 1,
                maxLength: 16_384,
                description: 'A URI, a path, or a path below the root where there is one',
              }),
              { minItems: 1, maxItems: 100 },
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1000 },
    ),
  ],
  { description: '`all`, or only these; unchanged when absent, initially `all`' },
);

/** Validated by the rules of the manifest, and never wider than what the plugin asks for. */
export const Grant = Named(
  'PluginGrant',
  Type.Object(
    { granted: JsonMap, libraries: Type.Optional(PickedLibraries) },
    { additionalProperties: false },
  ),
);

export const ActionParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  rpcMethod: Type.String({ minLength: 1, maxLength: 200 }),
});

/** The parameters of the action; absent = no body. */
export const ActionBody = Type.Optional(JsonMap);

export const ActionReply = Type.Object({
  result: Type.Unknown({ description: 'What the plugin answered' }),
});

export const DryRunQuery = Type.Object({
  granted: Type.Optional(
    Type.String({
      maxLength: 16_384,
      description:
        'The grant, one JSON object in the form of the manifest; without it, all that is new is granted',
    }),
  ),
  libraries: Type.Optional(
    Type.String({
      maxLength: 16_384,
      description: '`all`, or a JSON list as in a grant; the current grant when absent',
    }),
  ),
  version: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A version that a source offers, instead of the installed one',
    }),
  ),
});

/** The grant to compare a plugin's last run with. */
export type DryRunQuery = Wanted<typeof DryRunQuery>;

export const DryRunReply = Type.Object({
  dryRun: Named(
    'PluginDryRun',
    Type.Object({
      since: Nullable(Timestamp),
      calls: Type.Integer({ minimum: 0, description: 'Allowed calls of the last run' }),
      wouldBeRefused: Type.Integer({ minimum: 0, description: 'Those that would be refused' }),
      entries: List(
        Type.Object({
          call: Type.String({ description: '`net.fetch`' }),
          subject: Nullable(Type.String({ description: 'A host, a library, a type of jobs' })),
          permission: Nullable(Type.String()),
          count: Count,
          refused: Count,
          wouldBeRefused: Type.Boolean(),
          sentence: Type.String(),
        }),
        { description: 'The calls that would be refused first' },
      ),
      effects: List(Type.String(), { description: 'Other differences' }),
    }),
  ),
});
