/** What a font calls itself, in its table of names (OpenType, `name` and `OS/2`). */
export interface FontNames {
  /** In lower case. The family, and the name of this font alone, such as `open sans semibold`. */
  readonly family: readonly string[];
  readonly own: readonly string[];
  /** 1 to 1000. */
  readonly weight: number;
  readonly isItalic: boolean;
}

const mostNames = 500;
const mostTables = 100;

/** Reads them; `null` = these are not the bytes of a TrueType or OpenType font. */
export function fontNames(bytes: ArrayBuffer): FontNames | null {
  try {
    return readNames(new DataView(bytes));
  } catch (error) {
    // A place behind the end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readNames(view: DataView): FontNames | null {
  const magic = view.getUint32(0);
  if (magic !== 0x00010000 && magic !== 0x4f54544f && magic !== 0x74727565) return null;
  const tables = new Map<number, number>();
  for (let at = 0; at < Math.min(view.getUint16(4), mostTables); at += 1)
    tables.set(view.getUint32(12 + at * 16), view.getUint32(12 + at * 16 + 8));
  const names = tables.get(0x6e616d65);
  if (names === undefined) return null;
  const texts = namesAt(view, names);
  const style = tables.get(0x4f532f32);
  const weight = style === undefined ? 400 : view.getUint16(style + 4);
  return {
    family: [...(texts.get(1) ?? []), ...(texts.get(16) ?? [])],
    own: [...(texts.get(4) ?? []), ...(texts.get(6) ?? [])],
    weight: Math.min(1000, Math.max(1, weight)),
    isItalic: style !== undefined && (view.getUint16(style + 62) & 1) === 1,
  };
}

/** Names by their kind: 1 and 16 are families, 4 is the whole name, 6 the one for PostScript. */
function namesAt(view: DataView, table: number): ReadonlyMap<number, ReadonlySet<string>> {
  const found = new Map<number, Set<string>>();
  const start = table + view.getUint16(table + 4);
  for (let at = 0; at < Math.min(view.getUint16(table + 2), mostNames); at += 1) {
    const record = table + 6 + at * 12;
    const [platform, kind] = [view.getUint16(record), view.getUint16(record + 6)];
    const [length, offset] = [view.getUint16(record + 8), view.getUint16(record + 10)];
    if (length > 512) continue;
    const bytes = new DataView(view.buffer, start + offset, length);
    const label = platform === 1 ? 'latin1' : 'utf-16be';
    const text = new TextDecoder(label).decode(bytes).trim().toLowerCase();
    if (text !== '') found.set(kind, (found.get(kind) ?? new Set()).add(text));
  }
  return found;
}
