import { describe, expect, test } from 'vitest';
import { manifestOf } from '../../../test/support/plugins/packages.ts';
import { createManifestReader } from '../manifest/manifest.ts';
import { askedInForce, indexInForce, permissionsInForce, removedIn } from './removed-powers.ts';

const older = manifestOf({
  id: 'older',
  capabilities: ['artwork', 'filesystem'],
  permissions: { files: 'write', disk: 'write', library: 'write' },
});
const permissions = { files: 'read', disk: 'read', library: 'write' };
const message = (name: string) =>
  `permissions.${name}: "write" was removed, since no method writes; right is "read".`;

describe('what was removed', () => {
  test.each([
    [{ files: 'write' }, { files: 'read' }],
    [
      { disk: 'write', metadata: 'write' },
      { disk: 'read', metadata: 'write' },
    ],
    [{ files: 'all' }, { files: 'all' }],
    [null, null],
    [['files'], ['files']],
  ])('of permissions %j is read as %j', (given, read) => {
    expect(permissionsInForce<unknown>(given)).toEqual(read);
  });

  test('leaves values that are neither a manifest nor an index unchanged', () => {
    for (const odd of [null, 1, 'artwork', ['artwork'], { capabilities: 'artwork' }, {}]) {
      expect(askedInForce(odd)).toEqual(odd);
      const index = { plugins: [odd, { versions: odd }] };
      expect(indexInForce(index)).toEqual(index);
      expect(removedIn(odd)).toEqual([]);
    }
  });

  test('is left out of each version of an index, with a list that has nothing else', () => {
    const alone = { version: '2.0.0', capabilities: ['artwork'] };
    const index = { name: 'A source', plugins: [{ id: 'a', versions: [older, alone] }] };

    expect(indexInForce<unknown>(index)).toEqual({
      name: 'A source',
      plugins: [
        {
          id: 'a',
          versions: [{ ...older, capabilities: ['filesystem'], permissions }, { version: '2.0.0' }],
        },
      ],
    });
  });
});

describe('a manifest that names what was removed', () => {
  test('is accepted by a server, without them', () => {
    const parsed = createManifestReader().parse(older);

    expect(parsed).toEqual({
      ok: true,
      value: { ...older, capabilities: ['filesystem'], permissions },
    });
    expect(createManifestReader().parsePermissions({ files: 'write' })).toEqual({
      ok: true,
      value: { files: 'read' },
    });
  });

  test('is refused for its author, with what is right', () => {
    const { parse, parseText } = createManifestReader({ isForAuthor: true });
    const faults = [
      message('files'),
      message('disk'),
      'capabilities[0]: "artwork" was removed, since no server calls a plugin for it; leave it out.',
    ];

    expect(parse(older)).toEqual({ ok: false, faults });
    expect(parseText(JSON.stringify({ ...older, version: 1 }))).toMatchObject({
      faults: [...faults, expect.stringContaining('version: 1')],
    });
    expect(parse({ ...older, permissions: {}, capabilities: [] }).ok).toBe(true);
  });
});
