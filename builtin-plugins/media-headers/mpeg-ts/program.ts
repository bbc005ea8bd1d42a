/** The tables of a transport stream: the streams of a program and their kinds. */
import { u16, u8 } from '../bytes/numbers.ts';
import { ascii } from '../bytes/text.ts';
import type { StreamDraft } from '../stream-draft.ts';
import { language } from '../language.ts';

/** A stream of the program. */
export interface ProgramPart {
  readonly pid: number;
  readonly stream: StreamDraft;
}

const kinds = new Map<number, readonly [StreamDraft['kind'], string]>([
  [0x01, ['video', 'mpeg1video']],
  [0x02, ['video', 'mpeg2video']],
  [0x03, ['audio', 'mp2']],
  [0x04, ['audio', 'mp2']],
  [0x0f, ['audio', 'aac']],
  [0x10, ['video', 'mpeg4']],
  [0x11, ['audio', 'aac_latm']],
  [0x1b, ['video', 'h264']],
  [0x20, ['video', 'h264']],
  [0x24, ['video', 'hevc']],
  [0x33, ['video', 'vvc']],
  [0x80, ['audio', 'pcm_bluray']],
  [0x81, ['audio', 'ac3']],
  [0x82, ['audio', 'dts']],
  [0x83, ['audio', 'truehd']],
  [0x84, ['audio', 'eac3']],
  [0x85, ['audio', 'dts']],
  [0x86, ['audio', 'dts']],
  [0x87, ['audio', 'eac3']],
  [0x90, ['subtitle', 'hdmv_pgs_subtitle']],
  [0xea, ['video', 'vc1']],
]);

/** A stream of this type, without details; `undefined` for an unknown type. */
export function streamOfType(type: number): StreamDraft | undefined {
  const known = kinds.get(type);
  return known && { kind: known[0], codec: known[1] };
}

const registrations = new Map<string, readonly [StreamDraft['kind'], string]>([
  ['AC-3', ['audio', 'ac3']],
  ['EAC3', ['audio', 'eac3']],
  ['DTS1', ['audio', 'dts']],
  ['DTS2', ['audio', 'dts']],
  ['DTS3', ['audio', 'dts']],
  ['HEVC', ['video', 'hevc']],
  ['VC-1', ['video', 'vc1']],
  ['Opus', ['audio', 'opus']],
  ['AV01', ['video', 'av1']],
  ['KLVA', ['data', 'klv']],
]);

/** The body of a table's section, after the pointer at the start of a packet. */
function sectionOf(payload: Uint8Array, table: number): Uint8Array | undefined {
  const from = 1 + u8(payload, 0);
  if (from + 8 > payload.length || payload[from] !== table) return undefined;
  const length = u16(payload, from + 1) & 0xfff;
  return payload.subarray(from + 8, Math.min(payload.length, from + 3 + length - 4));
}

/** PIDs of the programs' maps. */
export function readAssociation(payload: Uint8Array): readonly number[] {
  const section = sectionOf(payload, 0);
  const pids: number[] = [];
  for (let at = 0; section !== undefined && at + 4 <= section.length; at += 4) {
    if (u16(section, at) !== 0) pids.push(u16(section, at + 2) & 0x1fff);
  }
  return pids;
}

export function readProgramMap(payload: Uint8Array): readonly ProgramPart[] {
  const section = sectionOf(payload, 2);
  if (section === undefined || section.length < 4) return [];
  const parts: ProgramPart[] = [];
  for (let at = 4 + (u16(section, 2) & 0xfff); at + 5 <= section.length;) {
    const length = u16(section, at + 3) & 0xfff;
    const descriptors = section.subarray(at + 5, at + 5 + length);
    const pid = u16(section, at + 1) & 0x1fff;
    parts.push({ pid, stream: readPart(u8(section, at), descriptors) });
    at += 5 + length;
  }
  return parts;
}

function readPart(type: number, descriptors: Uint8Array): StreamDraft {
  let [kind, codec] = kinds.get(type) ?? ['data', 'unknown'];
  let spoken: string | undefined;
  let isHearingImpaired: true | undefined;
  let isDolbyVision = false;
  for (let at = 0; at + 2 <= descriptors.length;) {
    const tag = u8(descriptors, at);
    const body = descriptors.subarray(at + 2, at + 2 + u8(descriptors, at + 1));
    at += 2 + u8(descriptors, at + 1);
    if (tag === 0x05 && body.length >= 4) {
      [kind, codec] = registrations.get(ascii(body, 0, 4)) ?? [kind, codec];
    }
    if (tag === 0xb0 && body.length >= 4) isDolbyVision = true;
    if (tag === 0x6a) [kind, codec] = ['audio', 'ac3'];
    if (tag === 0x7a) [kind, codec] = ['audio', 'eac3'];
    if (tag === 0x7b) [kind, codec] = ['audio', 'dts'];
    if (tag === 0x59) [kind, codec] = ['subtitle', 'dvb_subtitle'];
    if (tag === 0x56) [kind, codec] = ['subtitle', 'dvb_teletext'];
    if ((tag === 0x0a || tag === 0x59 || tag === 0x56) && body.length >= 4) {
      spoken = ascii(body, 0, 3);
      if (tag === 0x0a && u8(body, 3) === 2) isHearingImpaired = true;
      if (tag === 0x59 && u8(body, 3) >= 0x20 && u8(body, 3) <= 0x25) isHearingImpaired = true;
    }
  }
  return {
    kind,
    codec,
    language: language(spoken),
    isHearingImpaired,
    ...(isDolbyVision && kind === 'video' && { hdr: 'dolby-vision' as const }),
  };
}
