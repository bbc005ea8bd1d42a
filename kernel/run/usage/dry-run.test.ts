import { describe, expect, test } from 'vitest';
import type { Permissions } from '../../../plugin-api/index.ts';
import type { Reach } from '../../call/reach.ts';
import { english } from './dry-run-english.ts';
import { judgeLastRun } from './dry-run.ts';
import type { CountedUse } from './power-log.ts';

const since = '2026-11-21T07:44:53.000Z';
const used = (call: string, subject: string | null, need: CountedUse['need']): CountedUse => ({
  ...{ call, subject, need },
  count: 2,
  refused: 0,
});

const calls: readonly CountedUse[] = [
  used('config.get', null, null),
  used('net.fetch', 'api.example.org:443', { name: 'net' }),
  used('net.fetch', 'img.example.org:443', { name: 'net' }),
  used('library.changes', null, { name: 'library', level: 'read' }),
  used('library.reconcile', 'l1', { name: 'library', level: 'write' }),
  used('jobs.enqueue', 'tidy', { name: 'jobs' }),
  { ...used('secrets.sign', 'key', { name: 'secrets' }), count: 1, refused: 1 },
];

const permissions: Permissions = {
  net: ['*.example.org'],
  library: 'write',
  metadata: 'write',
  jobs: ['tidy'],
  serves: ['job:tidy'],
  hears: ['library'],
  hooks: ['pipeline.index.afterProcess'],
  schedule: true,
  wasm: true,
  kv: { quotaMb: 5 },
};

const judge = (granted: Permissions, reach: Reach = 'all', locale: string | null = null) =>
  judgeLastRun({
    lastRun: { since, calls },
    granted,
    reach,
    judge: {
      lack: (_, { subject }) => (subject === 'l1' ? 'the library Shows is not granted' : null),
      text: () => 'Films',
    },
    manifest: { permissions },
    kvBytes: 3_000_000,
    locale,
  });

describe('a dry run', () => {
  test('refuses no call when all of them are granted', () => {
    expect(judge(permissions)).toMatchObject({ since, calls: 12, effects: [] });
    expect(judge({ ...permissions, secrets: true }).wouldBeRefused).toBe(0);
  });

  test('refuses calls outside the new places, and names other effects', () => {
    const { entries, effects, wouldBeRefused } = judge(permissions, [{ id: 'films' }]);

    expect(wouldBeRefused).toBe(2);
    expect(entries[0]?.sentence).toBe(
      'It changed what is in a library (l1) 2 times, and would have been refused: the library Shows is not granted.',
    );
    expect(effects).toEqual(['It would receive only calls and events about Films.']);
  });

  test('says for each call whether and why it would be refused, refused ones first', () => {
    const granted = { net: ['api.example.org'], library: 'read', jobs: ['other'] } as const;

    const { entries, calls: all, wouldBeRefused } = judge(granted);

    expect({ all, wouldBeRefused }).toEqual({ all: 12, wouldBeRefused: 6 });
    expect(entries.map((one) => [one.wouldBeRefused, one.sentence])).toEqual([
      [
        true,
        'It asked a host on the network (img.example.org:443) 2 times, and would have been refused: img.example.org:443 is not one of the hosts api.example.org.',
      ],
      [
        true,
        'It changed what is in a library (l1) 2 times, and would have been refused: changing what is in your libraries is not granted.',
      ],
      [
        true,
        'It started background work (tidy) 2 times, and would have been refused: jobs of the type tidy are not granted.',
      ],
      [
        true,
        'It signed with a secret (key) once, and would have been refused: using secrets is not granted.',
      ],
      [false, 'It read its settings 2 times, and still could.'],
      [false, 'It asked a host on the network (api.example.org:443) 2 times, and still could.'],
      [false, 'It asked what changed in your libraries 2 times, and still could.'],
    ]);
  });

  test('names differences that no call shows', () => {
    expect(judge({ kv: { quotaMb: 1 } }).effects).toEqual([
      'It would not be called after a title is identified.',
      'It would receive no events about your libraries.',
      'It would not serve background work of the type tidy.',
      'It would run without WebAssembly.',
      'It would not be called at the times that it has scheduled.',
      'It keeps 3000000 bytes, above 1 MB: it could store nothing more.',
    ]);
  });

  test('speaks the language of the reader', () => {
    const { entries, effects } = judge({ kv: { quotaMb: 1 } }, [{ id: 'films' }], 'de-AT');

    expect(entries[0]?.sentence).toBe(
      'Es hat 2-mal einen Host im Netz gefragt (api.example.org:443); das wäre abgelehnt worden: das Netz zu benutzen ist nicht erlaubt.',
    );
    expect(effects).toEqual([
      'Es würde nicht aufgerufen, nachdem ein Titel erkannt ist.',
      'Es erhielte keine Ereignisse zu Ihren Bibliotheken.',
      'Es würde Hintergrundarbeit vom Typ tidy nicht bedienen.',
      'Es liefe ohne WebAssembly.',
      'Es würde zu den Zeiten, die es festgelegt hat, nicht aufgerufen.',
      'Es speichert 3000000 Bytes, mehr als 1 MB: Es könnte nichts mehr speichern.',
      'Es erhielte nur Aufrufe und Ereignisse zu Films.',
    ]);
  });

  test.each(['en', 'de'])('names no call, power, hook or group by its code in %s', (locale) => {
    const needs = Object.keys(english.powers).map((name) => ({ name: name as 'net' }));
    const all = [
      ...Object.keys(english.calls).map((call) => used(call, null, null)),
      ...[...needs, { name: 'library', level: 'write' } as const].map((need) =>
        used('kv.set', null, need),
      ),
    ];
    const { entries, effects } = judgeLastRun({
      ...{ lastRun: { since, calls: all }, granted: {}, reach: 'all', kvBytes: 0, locale },
      judge: { lack: () => null, text: () => '' },
      manifest: { permissions },
    });
    const code = /\b[a-z]+\.[a-z]|\bhost\.|: (read|write)\b|\b[a-z]+[A-Z]/;
    expect(
      [...entries.map(({ sentence }) => sentence), ...effects].filter((one) => code.test(one)),
    ).toEqual([]);
  });
});
