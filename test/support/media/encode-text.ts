/** Text in encodings from before Unicode: the platform decodes them, so its tables are turned around. */

const known = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of a text; throws for a character that the encoding does not have. */
export function encodeText(text: string, charset: string): Buffer {
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = known.get(charset) ?? tableOf(charset);
  known.set(charset, table);
  const bytes: number[] = [];
  for (const character of text) {
    const found = character < '\u0080' ? [character.charCodeAt(0)] : table.get(character);
    if (found === undefined) throw new Error(`${charset} has no ${character}`);
    bytes.push(...found);
  }
  return Buffer.from(bytes);
}

function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(charset, { fatal: true });
  const decode = (bytes: readonly number[]): string => {
    try {
      return decoder.decode(Uint8Array.from(bytes));
    } catch {
      return '';
    }
  };
  for (let lead = 0x80; lead < 0x100; lead++) {
    const single = decode([lead]);
    if (single !== '') table.set(single, [lead]);
    for (let trail = 0x40; single === '' && trail < 0xff; trail++) {
      const text = decode([lead, trail]);
      if (text.length === 1 && !table.has(text)) table.set(text, [lead, trail]);
    }
  }
  return table;
}
