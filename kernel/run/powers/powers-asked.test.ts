import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../plugin-api/index.ts';
import { asksForNothing, powersAsked } from './powers-asked.ts';
import { sentencesOf } from './permission-sentences.ts';

const asking = (parts: Partial<Manifest>) => ({
  id: 'steward',
  capabilities: [],
  mediaTypes: [],
  permissions: {},
  ...parts,
});

describe('the powers that a manifest asks for', () => {
  test.each<[string, Partial<Manifest>, object]>([
    ['nothing', {}, {}],
    ['to get notifications', { capabilities: ['notifier'] }, { serves: ['notifier'] }],
    ['permissions as they are', { permissions: { library: 'read' } }, { library: 'read' }],
    [
      'a capability for the whole server',
      { capabilities: ['search', 'webhooks'] },
      { serves: ['search', 'webhooks'] },
    ],
    [
      'a filesystem, by scheme',
      {
        capabilities: ['filesystem'],
        capabilityConfig: {
          filesystem: {
            supportsWatch: false,
            supportsLocalFileAccess: false,
            supportsWrite: false,
            schemes: ['s3', 'file'],
          },
        },
      },
      { serves: ['filesystem:s3', 'filesystem:file'] },
    ],
    [
      'a library, by type',
      {
        capabilities: ['library'],
        mediaTypes: ['movies'],
        capabilityConfig: { library: { paths: [{ type: 'games', rules: [], extensions: [] }] } },
      },
      { serves: ['library:movies', 'library:games'] },
    ],
    [
      'a probe, by extension',
      { capabilities: ['probe'], capabilityConfig: { probe: { extensions: ['mkv', 'mp+'] } } },
      { serves: ['probe:mkv', 'probe:mp+'] },
    ],
    [
      'its own job types, and the right to start those of others',
      { permissions: { jobs: ['steward.find', 'scan', 'tidy'] } },
      { jobs: ['scan', 'tidy'], serves: ['job:steward.find', 'job:tidy'] },
    ],
    [
      'a job type of the server that it could run',
      { capabilityConfig: { jobs: { runs: ['scan'] } } },
      { serves: ['job:scan'] },
    ],
    [
      'events by group',
      { subscriptions: { events: ['library.item.*', 'playback.progress', 'library.created'] } },
      { hears: ['library', 'playback'] },
    ],
    [
      'every group that a pattern reaches',
      { subscriptions: { events: ['*.completed'] } },
      { hears: ['playback', 'jobs'] },
    ],
    [
      'every group there is an event of',
      { subscriptions: { events: ['*.*', '*.*.*'] } },
      { hears: ['library', 'playback', 'pipeline', 'jobs', 'users', 'plugins', 'server'] },
    ],
    [
      'events of other plugins',
      { subscriptions: { events: ['plugin.other.done', 'plugin.*.done'] } },
      { hears: ['plugins'] },
    ],
    [
      'nothing for the end of the server and its own events',
      { subscriptions: { events: ['server.shutdown', 'server.*', 'plugin.steward.*'] } },
      {},
    ],
    [
      'hooks',
      {
        subscriptions: {
          hooks: [{ name: 'pipeline.probe.afterProcess' }, { name: 'pipeline.scan.prepare' }],
        },
      },
      { hooks: ['pipeline.probe.afterProcess', 'pipeline.scan.prepare'] },
    ],
    ['nothing for views and actions', { subscriptions: { views: ['ui.settings.sections'] } }, {}],
  ])('are %s', (_, parts, powers) => {
    expect(powersAsked(asking(parts))).toEqual(powers);
  });

  test('are none only when the plugin may start without consent', () => {
    expect(asksForNothing(asking({ permissions: { reasons: { net: 'x' } } }))).toBe(true);
    expect(asksForNothing(asking({ capabilities: ['license'] }))).toBe(false);
    expect(asksForNothing(asking({ subscriptions: { events: ['job.started'] } }))).toBe(false);
  });

  test('are said in plain sentences', () => {
    const powers = powersAsked(
      asking({
        capabilities: ['search'],
        subscriptions: {
          events: ['playback.*', 'library.item.*'],
          hooks: [{ name: 'pipeline.index.afterProcess' }],
        },
      }),
    );

    expect(sentencesOf(powers).map(({ sentence }) => sentence)).toEqual([
      'It serves search: it sees every query and decides what is found.',
      'It learns what is in your libraries. It learns who watches, rates and collects what, and when.',
      'It sees each item while it is imported.',
    ]);
    expect(sentencesOf({ ...powers, metadata: 'write' }).at(-1)?.sentence).toBe(
      'It can set titles, descriptions, pictures and other metadata of your media.',
    );
    expect(sentencesOf({ metadata: 'write', hooks: powers.hooks ?? [] }).at(-1)?.sentence).toBe(
      'It sees each item while it is imported and can change it.',
    );
  });
});
