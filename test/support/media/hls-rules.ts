/**
 * The rules of playlists that players hold to: RFC 8216, its second edition (rfc8216bis), and the HLS
 * Authoring Specification of Apple. Each function gives the rules that a playlist breaks.
 */

/** One tag or address of a playlist. */
interface Line {
  readonly tag: string | null;
  readonly value: string;
}

/** A playlist: its lines, or what is wrong with its form. */
function read(text: string): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && (line.startsWith('#EXT') || !line.startsWith('#')))
    .map((line) => {
      if (!line.startsWith('#')) return { tag: null, value: line };
      const colon = line.indexOf(':');
      return colon < 0
        ? { tag: line.slice(1), value: '' }
        : { tag: line.slice(1, colon), value: line.slice(colon + 1) };
    });
}

/** The attributes of a tag (section 4.2). A value that has no valid form is `null`. */
export function attributesOf(value: string): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  const form = /([A-Z0-9-]+)=("[^"\r\n]*"|[^,"]*)(?:,|$)/g;
  let end = 0;
  for (const match of value.matchAll(form)) {
    if (match.index !== end) found.set(value.slice(end, match.index), null);
    end = match.index + match[0].length;
    const [, name = '', text = ''] = match;
    found.set(name, found.has(name) ? null : text);
  }
  if (end !== value.length) found.set(value.slice(end), null);
  return found;
}

const unquoted = (value: string | null | undefined): string | null =>
  typeof value === 'string' && /^"[^"]*"$/.test(value) ? value.slice(1, -1) : null;

const valuesOf = (lines: readonly Line[], tag: string): readonly string[] =>
  lines.filter((line) => line.tag === tag).map(({ value }) => value);

const general = (text: string, lines: readonly Line[]): readonly string[] => [
  ...(text.startsWith('#EXTM3U\n') ? [] : ['EXTM3U must be the first line (4.3.1.1).']),
  ...(valuesOf(lines, 'EXT-X-VERSION').length === 1
    ? []
    : ['There is one EXT-X-VERSION (4.3.1.2).']),
  ...(text.includes('\r') || text.includes('\uFEFF') ? ['There is no BOM and no CR (4.1).'] : []),
];

/** The rules that a media playlist breaks. */
export function faultsOfMedia(text: string): readonly string[] {
  const lines = read(text);
  const faults = [...general(text, lines)];
  const one = (tag: string): string | undefined => {
    const values = valuesOf(lines, tag);
    if (values.length > 1) faults.push(`${tag} occurs more than once.`);
    return values[0];
  };
  const target = Number(one('EXT-X-TARGETDURATION') ?? Number.NaN);
  if (!Number.isInteger(target) || target < 1)
    faults.push('EXT-X-TARGETDURATION must be a whole number of seconds (4.3.3.1).');
  const isVod = one('EXT-X-PLAYLIST-TYPE') === 'VOD';
  const end = lines.findIndex(({ tag }) => tag === 'EXT-X-ENDLIST');
  if (isVod && end !== lines.length - 1)
    faults.push('A VOD list ends with EXT-X-ENDLIST (4.3.3.4).');
  const version = Number(one('EXT-X-VERSION'));
  const isKeyframes = lines.some(({ tag }) => tag === 'EXT-X-I-FRAMES-ONLY');
  const map = lines.findIndex(({ tag }) => tag === 'EXT-X-MAP');
  if (map >= 0 && version < (isKeyframes ? 5 : 6)) faults.push('EXT-X-MAP needs version 6 (7).');
  const first = lines.findIndex(({ tag }) => tag === null);
  if (map > first && first >= 0) faults.push('EXT-X-MAP stands before the segments it is for.');
  if (map < 0 && lines.some(({ tag, value }) => tag === null && /\.m(4s|p4)$/.test(value)))
    faults.push('Segments of fragmented MP4 need EXT-X-MAP (3.3).');
  if (map >= 0 && unquoted(attributesOf(lines[map]?.value ?? '').get('URI')) === null)
    faults.push('EXT-X-MAP has a quoted URI (4.3.2.5).');
  lines.forEach(({ tag, value }, at) => {
    if (tag === null && lines[at - 1]?.tag !== 'EXTINF')
      faults.push(`The segment ${value} has no EXTINF (4.3.2.1).`);
    if (tag !== 'EXTINF') return;
    if (lines[at + 1]?.tag !== null) faults.push('An EXTINF has no segment.');
    const seconds = /^(\d+(?:\.\d+)?),/.exec(value)?.[1];
    if (seconds === undefined || Number(seconds) <= 0)
      faults.push(`EXTINF:${value} is not a duration.`);
    else if (Math.round(Number(seconds)) > target)
      faults.push(`EXTINF ${seconds} is above the target duration ${target} (4.3.3.1).`);
  });
  return faults;
}

/** The durations and addresses of the segments. */
export function segmentsOf(text: string): readonly { seconds: number; uri: string }[] {
  const lines = read(text);
  return lines.flatMap(({ tag, value }, at) =>
    tag === null ? [{ seconds: parseFloat(lines[at - 1]?.value ?? ''), uri: value }] : [],
  );
}

/** The addresses of all playlists that a main playlist names. */
export function playlistsOf(text: string): readonly string[] {
  const lines = read(text);
  const named = ['EXT-X-MEDIA', 'EXT-X-I-FRAME-STREAM-INF'].flatMap((tag) =>
    valuesOf(lines, tag).map((value) => unquoted(attributesOf(value).get('URI'))),
  );
  const variants = lines.filter(({ tag }) => tag === null).map(({ value }) => value);
  return [...variants, ...named.filter((uri) => uri !== null)];
}

const codecForm =
  /^(avc1\.[0-9A-Fa-f]{6}|(hvc1|hev1)\.[A-C]?\d{1,2}\.[0-9A-F]+\.[LH]\d+(\.[0-9A-F]{1,2}){0,6}|av01\.\d\.\d\d[MH]\.\d\d|vp09(\.\d\d){3,8}|vp8|mp4a\.40\.\d{1,2}|mp4a\.6B|mp4v\.[0-9A-Z.]+|ac-3|ec-3|ac-4|opus|Opus|flac|fLaC|alac|mp3|wvtt|mlpa|dts[ceh])$/;

/** The rules that a main playlist breaks. */
export function faultsOfMaster(text: string): readonly string[] {
  const lines = read(text);
  const faults = [...general(text, lines)];
  const media = valuesOf(lines, 'EXT-X-MEDIA').map(attributesOf);
  for (const tag of ['EXTINF', 'EXT-X-TARGETDURATION', 'EXT-X-ENDLIST', 'EXT-X-MAP'])
    if (valuesOf(lines, tag).length > 0) faults.push(`${tag} is not for main playlists (4.1).`);
  for (const [group, members] of Map.groupBy(
    media,
    (one) => `${one.get('TYPE')} ${one.get('GROUP-ID')}`,
  )) {
    const names = members.map((one) => one.get('NAME'));
    if (new Set(names).size < names.length) faults.push(`${group} has a NAME twice (4.3.4.1.1).`);
    const defaults = members.filter((one) => one.get('DEFAULT') === 'YES');
    if (defaults.length > 1) faults.push(`${group} has more than one DEFAULT (4.3.4.1.1).`);
  }
  for (const one of media) faults.push(...faultsOfRendition(one));
  lines.forEach(({ tag, value }, at) => {
    if (tag === 'EXT-X-STREAM-INF') {
      if (lines[at + 1]?.tag !== null) faults.push('EXT-X-STREAM-INF has no address (4.3.4.2).');
      faults.push(...faultsOfVariant(attributesOf(value), media));
    }
    if (tag === 'EXT-X-I-FRAME-STREAM-INF') {
      const attributes = attributesOf(value);
      if (unquoted(attributes.get('URI')) === null)
        faults.push('An I-frame stream has a URI (4.3.4.3).');
      faults.push(...faultsOfStream(attributes));
    }
    if (tag === null && lines[at - 1]?.tag !== 'EXT-X-STREAM-INF')
      faults.push(`The address ${value} has no EXT-X-STREAM-INF.`);
  });
  if (valuesOf(lines, 'EXT-X-STREAM-INF').length === 0) faults.push('There is no variant.');
  return faults;
}

type Attributes = ReturnType<typeof attributesOf>;

function faultsOfRendition(one: Attributes): readonly string[] {
  const faults: string[] = [];
  const type = one.get('TYPE');
  if (![...one.values()].every((value) => value !== null))
    faults.push('An attribute is malformed.');
  for (const name of ['GROUP-ID', 'NAME'])
    if (unquoted(one.get(name)) === null) faults.push(`EXT-X-MEDIA lacks ${name} (4.3.4.1).`);
  if (type === 'SUBTITLES' && unquoted(one.get('URI')) === null)
    faults.push('SUBTITLES need a URI (4.3.4.1).');
  if (one.has('FORCED') && type !== 'SUBTITLES') faults.push('FORCED is for SUBTITLES (4.3.4.1).');
  if (type === 'AUDIO' && unquoted(one.get('CHANNELS')) === null)
    faults.push('Sound says its CHANNELS (Apple 4.9).');
  if (one.get('DEFAULT') === 'YES' && one.get('AUTOSELECT') === 'NO')
    faults.push('DEFAULT=YES needs AUTOSELECT=YES (4.3.4.1).');
  return faults;
}

function faultsOfStream(one: Attributes): readonly string[] {
  const faults: string[] = [];
  if (![...one.values()].every((value) => value !== null))
    faults.push('An attribute is malformed.');
  if (!/^[1-9]\d*$/.test(one.get('BANDWIDTH') ?? ''))
    faults.push('BANDWIDTH is missing (4.3.4.2).');
  const codecs = unquoted(one.get('CODECS'))?.split(',') ?? [];
  if (codecs.length === 0) faults.push('CODECS is missing (Apple 9.1).');
  for (const codec of codecs) if (!codecForm.test(codec)) faults.push(`${codec} is not a codec.`);
  const isVideo = codecs.some((codec) => /^(avc|hvc|hev|av0|vp|mp4v)/.test(codec));
  if (isVideo && !/^\d+x\d+$/.test(one.get('RESOLUTION') ?? ''))
    faults.push('RESOLUTION is missing (Apple 9.2).');
  return faults;
}

function faultsOfVariant(one: Attributes, media: readonly Attributes[]): readonly string[] {
  const faults = [...faultsOfStream(one)];
  const hasPicture = one.has('RESOLUTION');
  if (hasPicture && !/^\d+\.\d{1,3}$/.test(one.get('FRAME-RATE') ?? ''))
    faults.push('FRAME-RATE is missing (Apple 9.14).');
  if (hasPicture && !['SDR', 'PQ', 'HLG'].includes(one.get('VIDEO-RANGE') ?? ''))
    faults.push('VIDEO-RANGE is missing (Apple 9.16).');
  for (const type of ['AUDIO', 'SUBTITLES']) {
    const group = one.get(type);
    const isThere = media.some(
      (each) => each.get('TYPE') === type && each.get('GROUP-ID') === group,
    );
    if (group !== undefined && !isThere)
      faults.push(`There is no group ${String(group)} (4.3.4.2).`);
  }
  return faults;
}
