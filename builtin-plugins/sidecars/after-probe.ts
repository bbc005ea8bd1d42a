import type { BundleDelta, Handler, ItemHookInput } from '../../plugin-api/index.ts';
import type { Finding } from './findings/finding.ts';
import { findAll } from './findings/find-all.ts';
import { mergeFindings } from './findings/merge-findings.ts';
import { durationOf } from './item/item-media.ts';
import { createScene, type Scene } from './item/scene.ts';
import { sortNeighbours } from './item/sort-neighbours.ts';
import { samiHeadBytes } from './subtitles/sami.ts';
import { vobsubHeadBytes } from './subtitles/vobsub.ts';
import { readTexts } from './texts/read-texts.ts';

/** Subtitles of which only the beginning is read, for their languages. */
const heads: Readonly<Record<string, number | undefined>> = {
  vobsub: vobsubHeadBytes,
  sami: samiHeadBytes,
};

/**
 * `pipeline.probe.afterProcess`: reads the files beside an item's media. Files are sorted by their
 * names. Only if some of them are texts does the plugin make a host call, just one; else it answers
 * at once.
 */
export const afterProbe: Handler<ItemHookInput, BundleDelta | null> = ({ bundle }, host) => {
  if (bundle.files.auxiliary.length === 0) return null;
  const scene = createScene(bundle);
  if (scene === null) return null;
  const sorted = sortNeighbours(scene);
  if (sorted.texts.length === 0) return toDelta(scene, findAll(scene, sorted, new Map()));
  const wanted = sorted.texts.map(({ kind, neighbour: { file } }) => {
    const headBytes = heads[kind];
    return headBytes === undefined ? { file } : { file, headBytes };
  });
  return readTexts(wanted, host).then((texts) => toDelta(scene, findAll(scene, sorted, texts)));
};

/** The file itself knows its duration better than any text. */
function toDelta(scene: Scene, findings: readonly Finding[]): BundleDelta | null {
  return mergeFindings(isDurationKnown(scene) ? findings.map(withoutDuration) : findings);
}

function isDurationKnown({ bundle, media }: Scene): boolean {
  if (typeof bundle.fields['duration'] === 'number') return true;
  return media.some(({ file }) => durationOf(file) !== undefined);
}

function withoutDuration(finding: Finding): Finding {
  const fields = Object.entries(finding.fields ?? {}).filter(([key]) => key !== 'duration');
  return { ...finding, fields: Object.fromEntries(fields) };
}
