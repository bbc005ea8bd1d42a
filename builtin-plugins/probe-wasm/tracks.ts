/** MediaInfo's result: tracks, each a list of names and texts. */

/** One track. Every value is text. */
export type Track = Readonly<Record<string, string>>;

/** The tracks in MediaInfo's result; none when it does not recognize the file. */
export function parseTracks(json: string): readonly Track[] {
  const answer: unknown = JSON.parse(json);
  const media = child(answer, 'media');
  const list = child(media, 'track');
  return Array.isArray(list) ? list.map(toTrack) : [];
}

function toTrack(value: unknown): Track {
  const track: Record<string, string> = {};
  if (typeof value !== 'object' || value === null) return track;
  for (const [key, one] of Object.entries(value)) {
    if (typeof one === 'string') track[key] = one;
  }
  return track;
}

function child(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

export function numberIn(track: Track, key: string): number | undefined {
  const value = Number.parseFloat(track[key] ?? '');
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
