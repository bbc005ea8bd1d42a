/**
 * Dolby Vision (ETSI TS 103 572 and "Dolby Vision Streams within the ISO Base Media File Format").
 * Profile 5 has no picture for other players, so its entry is Dolby's own. The others keep the entry of
 * the picture that all players show, with the box beside it.
 */
import { u8 } from '../../media-headers/bytes/numbers.ts';
import { box } from '../fmp4/boxes.ts';
import type { TrackFormat } from './track-format.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const ownProfile = 5;

/** The format with its Dolby Vision box. */
export function dolbyVisionFormat(
  format: TrackFormat,
  name: string,
  configuration: Uint8Array,
): TrackFormat {
  if (configuration.length < 5) return format;
  const profile = u8(configuration, 2) >> 1;
  const level = ((u8(configuration, 2) & 1) << 5) | (u8(configuration, 3) >> 3);
  const type = profile > 7 ? (profile > 10 ? 'dvwC' : 'dvvC') : 'dvcC';
  const entry = withBox(format.entry, box(type, configuration));
  if (profile !== ownProfile) return { ...format, entry };
  const own = name === 'dvhe' ? 'dvhe' : 'dvh1';
  for (let at = 0; at < 4; at++) entry[4 + at] = own.charCodeAt(at);
  return { ...format, codec: `${own}.${two(profile)}.${two(level)}`, entry };
}

function withBox(entry: Uint8Array, added: Uint8Array): Uint8Array {
  const made = new Uint8Array(entry.length + added.length);
  made.set(entry);
  made.set(added, entry.length);
  new DataView(made.buffer).setUint32(0, made.length);
  return made;
}
