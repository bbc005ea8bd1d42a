/** Extensions of media by the kind of library, lower case and without dot. */

const words = (text: string): readonly string[] => text.split(' ');

const video = words(
  'mkv mk3d mp4 m4v mov qt avi divx xvid wmv asf mpg mpeg mpe mpv m1v m2v m2p vob vro ts m2ts m2t mts ' +
    'tp trp tod mod flv f4v webm ogv ogm ogx 3gp 3g2 3gpp rm rmvb wtv dvr-ms mxf nut nsv amv evo dv iso',
);

const audio = words(
  'mp3 flac m4a aac alac ogg oga opus spx wma wav wave bwf w64 rf64 aif aiff aifc ape wv tta tak ofr mpc mp+ ' +
    'mpp mp2 mp1 mpa ac3 eac3 dts dtshd thd mlp dsf dff shn mka weba caf au snd ra amr awb',
);

const spoken = words(
  'm4b m4a mp3 aa aax aaxc flac ogg oga opus spx aac alac wma wav aif aiff ape wv mpc mp2 mka weba caf awb mp4',
);

const texts = words(
  'epub pdf mobi azw azw3 azw4 kf8 kfx prc pdb lit lrf lrx fb2 fbz djvu djv chm ibooks xps oxps cbz cbr cb7 cbt cba',
);

const pictures = words(
  'jpg jpeg jpe jfif png gif webp avif heic heif hif bmp dib tif tiff jxl jp2 j2k jpf jpx dng raw arw srf sr2 ' +
    'cr2 cr3 crw nef nrw orf raf rw2 rwl pef srw x3f 3fr fff erf mef mos mrw iiq kdc dcr gpr insp',
);

/** Videos that cameras write beside pictures. */
const clips = words('mp4 mov m4v avi mts m2ts mpg mpeg 3gp 3g2 webm mkv insv');

const byType: ReadonlyMap<string, readonly string[]> = new Map([
  ['movies', video],
  ['tv', video],
  ['music', audio],
  ['audiobooks', spoken],
  ['books', texts],
  ['photos', [...pictures, ...clips]],
]);

const everything: readonly string[] = [
  ...new Set([...video, ...audio, ...spoken, ...texts, ...pictures]),
];

/** Extensions for a library type; for an unknown type, all media extensions. */
export const mediaExtensions = (libraryType: string): readonly string[] =>
  byType.get(libraryType) ?? everything;
