import type { ReleaseFacts } from '../reading/release-facts.ts';
import { compact } from './identify-context.ts';

/** The keys of metadata that tell about the release: the file's own word before its folder's. */
export function releaseMetadata(
  own: ReleaseFacts & { readonly ids: Readonly<Record<string, string>> },
  folder?: ReleaseFacts & { readonly ids: Readonly<Record<string, string>> },
): Readonly<Record<string, unknown>> {
  const ids = { ...folder?.ids, ...own.ids };
  const is3d = own.is3d || folder?.is3d === true;
  return compact({
    resolution: own.resolution ?? folder?.resolution,
    source: own.source ?? folder?.source,
    releaseGroup:
      folder?.source === undefined ? (own.group ?? folder?.group) : (groupOf(own) ?? folder.group),
    ids: Object.keys(ids).length === 0 ? undefined : ids,
    identify: is3d ? { stereo: true } : undefined,
  });
}

/** A group is believed where a word of a release stands beside it. */
function groupOf(facts: ReleaseFacts): string | undefined {
  return facts.source === undefined && facts.resolution === undefined ? undefined : facts.group;
}
