import { byPlace, placeOf } from './key-order.ts';
import { isNameable } from './place.ts';
import { shallowPages } from './shallow-pages.ts';
import type { Step, TreeParts } from './tree.ts';

/** The direct entries of a folder, in the order of URIs. */
export async function* walkFolder({
  bucket,
  prefix,
  after,
}: TreeParts): AsyncGenerator<Step, void, undefined> {
  const steps: Exclude<Step, { kind: 'hidden' }>[] = [];
  for await (const { files, folders } of shallowPages(bucket, prefix)) {
    for (const object of files.filter(({ key }) => !key.endsWith('/'))) {
      if (isNameable(object.key)) steps.push({ kind: 'file', place: placeOf(object.key), object });
      else yield { kind: 'hidden', key: object.key };
    }
    for (const key of folders) {
      if (isNameable(key.slice(0, -1))) steps.push({ kind: 'folder', place: placeOf(key) });
      else yield { kind: 'hidden', key };
    }
  }
  for (const step of steps.sort(byPlace)) if (step.place > after) yield step;
}
