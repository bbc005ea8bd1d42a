import type { ReleaseFacts } from '../reading/release-facts.ts';
import { compact } from './identify-context.ts';

interface Facts {
  readonly release: ReleaseFacts;
  readonly ids: Readonly<Record<string, string>>;
}

/** The metadata keys of the release: the file's own values win over its folder's. */
export function releaseMetadata(
  { release: own, ids: ownIds }: Facts,
  around: Facts | undefined,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const folder = around?.release;
  const ids = { ...around?.ids, ...ownIds };
  const languages = own.languages.length > 0 ? own.languages : (folder?.languages ?? []);
  const identify = compact({
    stereo: own.is3d || folder?.is3d === true ? true : undefined,
    videoCodec: own.videoCodec ?? folder?.videoCodec,
    audioCodec: own.audioCodec ?? folder?.audioCodec,
    languages: languages.length === 0 ? undefined : languages,
    crc: own.crc,
    ...more,
  });
  return compact({
    resolution: own.resolution ?? folder?.resolution,
    source: own.source ?? folder?.source,
    releaseGroup: spelledGroup(
      folder?.source === undefined ? (own.group ?? folder?.group) : (groupOf(own) ?? folder.group),
      folder?.group,
    ),
    ids: isEmpty(ids) ? undefined : ids,
    identify: isEmpty(identify) ? undefined : identify,
  });
}

/** A group counts only beside a word of a release. */
function groupOf(facts: ReleaseFacts): string | undefined {
  return facts.source === undefined && facts.resolution === undefined ? undefined : facts.group;
}

/** The group as its folder spells it: files of the scene are in lower case. */
function spelledGroup(group: string | undefined, around: string | undefined): string | undefined {
  return around !== undefined && group === around.toLowerCase() ? around : group;
}

function isEmpty(fields: object): boolean {
  for (const _key in fields) return false;
  return true;
}
