import { setMark, type Pending } from './marks.ts';
import type { Name, Token } from './tokens.ts';

const resolution = /^(?:hd)?(\d{3,4})([pi])(?:\d{2,3}|hd|x)?$/;
const frame = /^(\d{3,4})[x×*](\d{3,4})p?$/;
const heights: ReadonlySet<number> = new Set([
  240, 288, 300, 320, 352, 360, 368, 384, 396, 400, 404, 408, 416, 432, 480, 540, 544, 576, 640,
  720, 800, 810, 900, 960, 1036, 1080, 1152, 1440, 1620, 1800, 2160, 2880, 4320,
]);

/** `720` alone is a resolution only beside other words of a release. */
export function plainLines({ text }: Token): Pending | undefined {
  if (!/^(?:480|576|720|1080|2160)$/.test(text)) return undefined;
  return { word: { mark: 'resolution', meaning: `${text}p`, strength: 'weak' }, length: 1 };
}

/** `1080p`, `720i`, `1920x1080`. Returns whether it was one. */
export function markResolution(name: Name, index: number, key: string): boolean {
  const lines = resolution.exec(key);
  if (lines !== null && (heights.has(Number(lines[1])) || Number(lines[1]) >= 1000)) {
    setMark(name, index, 'resolution', `${lines[1] ?? ''}${lines[2] ?? ''}`);
    return true;
  }
  const box = frame.exec(key);
  const [width, height] = [Number(box?.[1] ?? 0), Number(box?.[2] ?? 0)];
  if (box === null || width < 200 || height < 100) return false;
  setMark(name, index, 'resolution', heightName(width, height, key));
  return true;
}

/** `1280*720`. */
export function markPicture(name: Name, index: number, gap: string): boolean {
  const [width, height] = [name.tokens[index], name.tokens[index + 1]];
  if (width === undefined || height === undefined || gap.trim() !== '*') return false;
  if (width.value < 200 || height.value < 100) return false;
  const key = `${width.text}x${height.text}`;
  setMark(name, index, 'resolution', heightName(width.value, height.value, key));
  setMark(name, index + 1, 'resolution', heightName(width.value, height.value, key));
  return true;
}

/** `1920x800` counts as 1080p: films are cropped, and the width tells the format. */
function heightName(width: number, height: number, asWritten: string): string {
  const ratio = width / height;
  if (ratio < 1.2 || ratio > 3) return asWritten;
  const known = [480, 576, 720, 1080, 1440, 2160, 4320];
  const exact = known.find((lines) => lines === height);
  if (exact !== undefined) return `${String(exact)}p`;
  const byWidth = [
    [7680, 4320],
    [3840, 2160],
    [2560, 1440],
    [1920, 1080],
    [1280, 720],
  ].find(([lineWidth]) => width === lineWidth);
  return byWidth === undefined ? asWritten : `${String(byWidth[1])}p`;
}
