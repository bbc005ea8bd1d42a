/** Short files that can be played or read, without tags, so that only their names count. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { bars, coverFile, makeMedia, tone } from '../media/media-files.ts';

/** Makes the file of the kind that its name says, and its folders. */
export function placeMedia(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const extension = path.extname(file).slice(1);
  const untagged = ['-map_metadata', '-1', '-shortest'];
  const video = [...bars(1, '160x90', '10'), ...tone(1), '-preset', 'ultrafast', ...untagged];
  const packed = [...bars(1, '160x90', '25'), ...tone(1), '-c:v', 'mpeg2video', ...untagged];
  if (extension === 'VOB') copyFileSync(makeMedia('vob', [...packed, '-c:a', 'ac3']), file);
  else if (extension === 'm2ts') copyFileSync(makeMedia('m2ts', [...packed, '-c:a', 'ac3']), file);
  else if (/^(?:mkv|avi|mp4|mov)$/i.test(extension))
    copyFileSync(makeMedia(extension.toLowerCase(), video), file);
  else if (extension === 'flac' || extension === 'mp3')
    copyFileSync(makeMedia(extension, [...tone(1), ...untagged]), file);
  else if (/^(?:jpg|heic)$/i.test(extension)) copyFileSync(coverFile(), file);
  else if (extension === 'cbz') writeFileSync(file, zipSync({ 'page.jpg': strToU8('a page') }));
  else writeFileSync(file, book());
}

function book(): Uint8Array {
  const rootfile = '<rootfile full-path="a.opf" media-type="application/oebps-package+xml"/>';
  return zipSync({
    mimetype: strToU8('application/epub+zip'),
    'META-INF/container.xml': strToU8(
      `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>${rootfile}</rootfiles></container>`,
    ),
    'a.opf': strToU8(
      '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    ),
    'a.xhtml': strToU8('<html xmlns="http://www.w3.org/1999/xhtml"><body>Text</body></html>'),
  });
}
