import { createDeltaCheck } from '../../../../kernel/call/hooks/delta-check.ts';
import { mergeDelta } from '../../../../kernel/call/hooks/merge-delta.ts';
import { bundleDeltaSchema } from '../../../../manifests-schema/index.ts';
import type { BundleDelta } from '../../../../plugin-api/index.ts';
import type { ValueClass } from '../attempt.ts';

const check = createDeltaCheck<BundleDelta>({
  schema: bundleDeltaSchema,
  inputKeys: ['bundle'],
  example: '{}',
});

const json = (text: string): unknown => JSON.parse(text);
const polluted = '{"polluted":"x"}';

/** What a hook gives back, on its way into an item. */
export const deltas: ValueClass = {
  name: 'deltas of items',
  honest: { fields: { year: 1999 } },
  attempts: {
    'a prototype as key': json(`{"__proto__":${polluted}}`),
    'a prototype in the fields': json(`{"fields":{"__proto__":${polluted}}}`),
    'a prototype deep in the fields': json(`{"fields":{"a":{"b":[{"__proto__":${polluted}}]}}}`),
    'a constructor in the fields': json(`{"fields":{"constructor":{"prototype":${polluted}}}}`),
    'a prototype among the ids': json(`{"ids":{"__proto__":true}}`),
    'a prototype as role': json(`{"entities":{"__proto__":[]}}`),
    'a constructor as role': json(`{"entities":{"constructor":[{"name":"a","status":"confirmed","source":"x"}]}}`),
    'the whole input': { bundle: { fields: {} } },
    'media files of its own': { files: { media: [{ uri: 'file:///etc/passwd' }] } },
    'an id of the item': { id: 'another', itemId: 'another' },
    'a library': { libraryId: 'another', library: {} },
    'an unknown key': { sql: 'drop table items' },
    'a list': [{ fields: {} }],
    'a text': '{"fields":{}}',
    'bytes': new Uint8Array([1, 2]),
    'a number': 1,
    'an asset without a source': { assets: [{ type: 'poster', uri: 'x' }] },
    'an asset with a key too many': { assets: [{ type: 'poster', uri: 'x', source: 'y', html: '<b>' }] },
    'an asset whose address is an object': { assets: [{ type: 'poster', uri: { toString: 'x' }, source: 'y' }] },
    'a chapter in no time': { chapters: [{ start: 'now', title: 'x' }] },
    'subtitles of no kind': { subtitles: [{ type: 'script', format: 'js', source: 'x' }] },
    'fields a hundred levels deep': { fields: { a: json('['.repeat(100) + ']'.repeat(100)) } },
    'two thousand fields': { fields: Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`k${i}`, 1])) },
    'a key of a thousand letters': { fields: { ['k'.repeat(1000)]: 1 } },
    'more entities than there are': { entities: { actor: Array.from({ length: 2001 }, () => ({ name: 'a', status: 'confirmed', source: 'x' })) } },
  },
  wins: (value: unknown) => {
    const checked = check(value);
    if (!checked.ok || checked.value === null) return false;
    mergeDelta({ files: { media: [], auxiliary: [] }, fields: {}, ids: {}, assets: [], subtitles: [], entities: {} }, checked.value);
    return true;
  },
}; // oxfmt-ignore
