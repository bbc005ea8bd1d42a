/** The text of an MP4 track: MOV text, WebVTT or TTML in samples. */
import { u16, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { utf16, utf8 } from '../../media-headers/bytes/text.ts';
import { boxesIn, type Box } from '../../media-headers/mp4/boxes.ts';
import { readMp4Tracks } from '../containers/mp4/mp4.ts';
import { readSamples, type Sample } from '../containers/mp4/samples.ts';
import type { MediaSource } from '../media.ts';
import { writeVtt, type TimedText } from './text-document.ts';
import { createTextBudget, mostTexts } from './text-limits.ts';

const sampleBytes = 256 * 1024;

/** The text of the stream with this index, as a document. */
export async function readMp4Text(source: MediaSource, index: number): Promise<string> {
  const track = (await readMp4Tracks(source))[index];
  if (track === undefined) throw malformed(`The file has no stream number ${index}.`);
  const { codec } = track.stream;
  if (track.scale === 0) throw malformed('The track has no time scale.');
  const samples = await readSamples(source, track, mostTexts);
  if (samples.length === 0) {
    throw malformed('The track has no table of samples; text in fragments is not read.');
  }
  const pieces = samples.map(inBounds);
  const spend = createTextBudget();
  for (const { length } of pieces) spend(length);
  const texts = await source.readPieces(pieces);
  if (codec === 'ttml') return texts.map(utf8).join('\n');
  const readSample = codec === 'webvtt' ? readWvtt : codec === 'mov_text' ? readMovText : undefined;
  if (readSample === undefined) throw malformed(`The track has no text: its codec is ${codec}.`);
  return writeVtt(
    texts.flatMap((bytes, at) => {
      const { startTime = 0, endTime = 0 } = samples[at] ?? {};
      const times = { startMs: startTime * 1000, endMs: endTime * 1000 };
      return readSample(bytes).map((one) => ({ ...times, ...one }));
    }),
  );
}

const inBounds = ({ offset, length }: Sample) => ({
  offset,
  length: Math.min(length, sampleBytes),
});

type Shown = Pick<TimedText, 'text'> & { readonly settings?: string };

/** A length, the text, and boxes; an empty text is a pause. */
function readMovText(bytes: Uint8Array): readonly Shown[] {
  if (bytes.length < 2) return [];
  const length = u16(bytes, 0);
  const text = bytes.subarray(2, 2 + length);
  const mark = text.length >= 2 ? u16(text, 0) : 0;
  const plain = mark === 0xfeff || mark === 0xfffe ? utf16(text) : utf8(text);
  if (plain.trim() === '') return [];
  const style = boxesIn(bytes, 2 + length).find(({ type }) => type === 'styl');
  const lines = styled(plain, style === undefined ? [] : runsIn(bytes, style));
  return [{ text: lines.replace(/\r\n?/g, '\n').replace(/\n{2,}/g, '\n') }];
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly tags: readonly string[];
}

const faces = ['b', 'i', 'u'];

function runsIn(bytes: Uint8Array, { from, end }: Box): readonly Run[] {
  const runs: Run[] = [];
  for (let at = from + 2, left = u16(bytes, from); left > 0 && at + 12 <= end; left--, at += 12) {
    const face = u8(bytes, at + 6);
    const tags = faces.filter((_, bit) => ((face >> bit) & 1) === 1);
    runs.push({ from: u16(bytes, at), to: u16(bytes, at + 2), tags });
  }
  return runs.sort((one, other) => one.from - other.from);
}

/** The text as WebVTT, with the tags of its runs; runs that overlap are cut. */
function styled(text: string, runs: readonly Run[]): string {
  const characters = Array.from(text);
  const part = (from: number, to: number): string => escape(characters.slice(from, to).join(''));
  let made = '';
  let at = 0;
  for (const { from, to, tags } of runs) {
    if (from < at || to <= from) continue;
    const opened = tags.map((tag) => `<${tag}>`).join('');
    const closed = tags.map((tag) => `</${tag}>`).reverse();
    made += `${part(at, from)}${opened}${part(from, to)}${closed.join('')}`;
    at = to;
  }
  return made + part(at, characters.length);
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** `vttc` boxes with settings and a payload that is WebVTT already. */
function readWvtt(bytes: Uint8Array): readonly Shown[] {
  return boxesIn(bytes, 0)
    .filter(({ type }) => type === 'vttc')
    .flatMap((cue) => {
      const inner = bytes.subarray(cue.from, cue.end);
      const content = (wanted: string): string => {
        const box = boxesIn(inner, 0).find(({ type }) => type === wanted);
        return box === undefined ? '' : utf8(inner.subarray(box.from, box.end));
      };
      const text = content('payl')
        .replace(/\r\n?/g, '\n')
        .replace(/\n{2,}/g, '\n');
      const settings = content('sttg').replace(/\s+/g, ' ');
      return text.trim() === '' ? [] : [{ text, settings }];
    });
}
