/** What builtin-plugins/sidecars/README.md says of files beside media, as files and what a server must make of them. */
import type { LibraryType } from './named-files.ts';

/** An item with files beside it, and what it must have of them. */
export interface BesideCase {
  /** Its media, by their paths. */
  readonly media: readonly string[];
  /** Texts by their paths; `picture` is a picture. */
  readonly beside: Readonly<Record<string, string>>;
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Tracks of a session of each of its media: language and flags. */
  readonly subtitles?: readonly string[];
  readonly chapters?: readonly string[];
  readonly lyrics?: readonly string[];
  /** Types of its pictures. */
  readonly pictures?: readonly string[];
  /** By role: what the entity of that role must have. */
  readonly entities?: Readonly<
    Record<string, { readonly name?: string; readonly overview?: string; readonly picture?: true }>
  >;
}

/** A row of the page: its examples, each as files. */
export interface BesideRow {
  readonly type: LibraryType;
  readonly examples: Readonly<Record<string, BesideCase>>;
}

const nfo = (kind: string, fields: string): string => `<${kind}>${fields}</${kind}>`;
const told = '<title>Told</title>';
const about = 'About it.';
const film = (name: string, beside: BesideCase['beside'], more: Partial<BesideCase> = {}) => ({
  ...{ media: [`${name} (2001)/${name} (2001).mkv`], beside, ...more },
});
const episode = (number: number): string =>
  nfo('episodedetails', `${told}<season>1</season><episode>${number}</episode>`);
const srt = '1\n00:00:00,100 --> 00:00:00,900\nThe bridge is out.\n';
const cue = (file: string): string =>
  [
    `FILE "${file}" MP3`,
    ...['  TRACK 01 AUDIO', '    TITLE "Opening"', '    INDEX 01 00:00:00'],
    ...['  TRACK 02 AUDIO', '    TITLE "Rest"', '    INDEX 01 00:00:30', ''],
  ].join('\n');
const opf = `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Told</dc:title></metadata></package>`;
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Told</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`;
const takeout = JSON.stringify({
  title: 'Pier.jpg',
  description: about,
  photoTakenTime: { timestamp: '1625392800' },
});
const ogm =
  'CHAPTER01=00:00:00.000\nCHAPTER01NAME=Opening\nCHAPTER02=00:00:00.500\nCHAPTER02NAME=Rest\n';
const atom = (time: string, name: string): string =>
  `<ChapterAtom><ChapterTimeStart>${time}</ChapterTimeStart><ChapterDisplay><ChapterString>${name}</ChapterString></ChapterDisplay></ChapterAtom>`;
const matroska = `<Chapters><EditionEntry>${atom('00:00:00.000', 'Opening')}${atom('00:00:00.500', 'Rest')}</EditionEntry></Chapters>`;
const chapters = ['Opening', 'Rest'];
/** What a picture of this name shows. */
const pictureNames = {
  ...{ poster: 'poster', folder: 'poster', cover: 'poster', fanart: 'backdrop' },
  ...{ backdrop: 'backdrop', banner: 'banner', logo: 'logo', clearlogo: 'logo' },
  ...{ clearart: 'clearart', thumb: 'thumbnail', landscape: 'thumbnail', disc: 'disc' },
};
const vale = 'Nora Vale/Low Tide';

/** By the first cell of a row, and by each example in it, word for word. */
export const besideMedia: Readonly<Record<string, BesideRow>> = {
  films: {
    type: 'movies',
    examples: {
      '<name>.nfo': film(
        'Pier',
        { 'Pier (2001)/Pier (2001).nfo': nfo('movie', told) },
        { title: 'Told' },
      ),
      'movie.nfo': film('Barn', { 'Barn (2001)/movie.nfo': nfo('movie', told) }, { title: 'Told' }),
      'VIDEO_TS.nfo': {
        media: ['Mill (2001)/VIDEO_TS/VTS_01_1.VOB'],
        beside: { 'Mill (2001)/VIDEO_TS/VIDEO_TS.nfo': nfo('movie', told) },
        title: 'Told',
      },
      'index.nfo': film('Snow', { 'Snow (2001)/index.nfo': nfo('movie', told) }, { title: 'Told' }),
    },
  },
  episodes: {
    type: 'tv',
    examples: {
      '<name>.nfo': {
        media: ['Pier/Season 1/Pier S01E01-E02.mkv'],
        beside: { 'Pier/Season 1/Pier S01E01-E02.nfo': episode(1) + episode(2) },
        ...{ title: 'Told', metadata: { season: 1, episode: 1 } },
      },
      'season.nfo': {
        media: ['Barn/Season 1/Barn S01E01.mkv'],
        beside: { 'Barn/Season 1/season.nfo': nfo('season', `<plot>${about}</plot>`) },
        entities: { season: { overview: about } },
      },
      'tvshow.nfo': {
        media: ['Mill/Season 1/Mill S01E01.mkv'],
        beside: { 'Mill/tvshow.nfo': nfo('tvshow', `<title>Mill</title><plot>${about}</plot>`) },
        entities: { show: { name: 'Mill', overview: about } },
      },
    },
  },
  tracks: {
    type: 'music',
    examples: {
      'album.nfo': {
        media: [`${vale}/01 - Pier.mp3`],
        beside: {
          [`${vale}/album.nfo`]: nfo('album', `<title>Low Tide</title><review>${about}</review>`),
        },
        entities: { album: { name: 'Low Tide', overview: about } },
      },
      'artist.nfo': {
        media: ['Ben Oak/Red Barn/01 - Pier.mp3'],
        beside: {
          'Ben Oak/artist.nfo': nfo(
            'artist',
            `<name>Ben Oak</name><biography>${about}</biography>`,
          ),
        },
        entities: { artist: { name: 'Ben Oak', overview: about } },
      },
      '<name>.lrc': {
        media: ['Ann Lowe/Snow/01 - Pier.mp3'],
        beside: { 'Ann Lowe/Snow/01 - Pier.lrc': '[00:00.10]The bridge\n[00:00.50]is out\n' },
        lyrics: ['The bridge', 'is out'],
      },
      '<name>.txt': {
        media: ['Ann Lowe/Mill/01 - Pier.mp3'],
        beside: { 'Ann Lowe/Mill/01 - Pier.txt': 'The bridge\nis out\n' },
        lyrics: ['The bridge', 'is out'],
      },
      '*.cue': {
        media: ['Ann Lowe/Field/Field.mp3'],
        beside: { 'Ann Lowe/Field/Sheet.cue': cue('Field.mp3') },
        chapters,
      },
    },
  },
  audiobooks: {
    type: 'audiobooks',
    examples: {
      '<name>.opf': {
        media: ['Ann Lowe/Pier/Pier.mp3'],
        beside: { 'Ann Lowe/Pier/Pier.opf': opf },
        title: 'Told',
      },
      'metadata.opf': {
        media: ['Ann Lowe/Barn/01.mp3'],
        beside: { 'Ann Lowe/Barn/metadata.opf': opf },
        title: 'Told',
      },
      'metadata.json': {
        media: ['Ann Lowe/Mill/01.mp3'],
        beside: { 'Ann Lowe/Mill/metadata.json': JSON.stringify({ title: 'Told' }) },
        title: 'Told',
      },
      'desc.txt': {
        media: ['Ann Lowe/Snow/01.mp3'],
        beside: { 'Ann Lowe/Snow/desc.txt': about },
        metadata: { overview: about },
      },
      'reader.txt': {
        media: ['Ann Lowe/Field/01.mp3'],
        beside: { 'Ann Lowe/Field/reader.txt': 'Ben Oak' },
        entities: { narrator: { name: 'Ben Oak' } },
      },
      '*.cue': {
        media: ['Ann Lowe/Harbour/01.mp3'],
        beside: { 'Ann Lowe/Harbour/Sheet.cue': cue('01.mp3') },
        chapters,
      },
      'chapters.txt': {
        media: ['Ann Lowe/Lights/01.mp3'],
        beside: { 'Ann Lowe/Lights/chapters.txt': '00:00:00.000 Opening\n00:00:00.500 Rest\n' },
        chapters,
      },
    },
  },
  books: {
    type: 'books',
    examples: {
      '<name>.opf': {
        media: ['Ann Lowe/Pier.epub'],
        beside: { 'Ann Lowe/Pier.opf': opf },
        title: 'Told',
      },
      'metadata.opf': {
        media: ['Ann Lowe/Barn/Barn.epub'],
        beside: { 'Ann Lowe/Barn/metadata.opf': opf },
        title: 'Told',
      },
      'ComicInfo.xml': {
        media: ['Harbour/Harbour v03.cbz'],
        beside: { 'Harbour/ComicInfo.xml': nfo('ComicInfo', '<Title>Told</Title>') },
        title: 'Told',
      },
    },
  },
  photos: {
    type: 'photos',
    examples: {
      '<file>.xmp': { media: ['One/A.jpg'], beside: { 'One/A.jpg.xmp': xmp }, title: 'Told' },
      '<name>.xmp': { media: ['One/B.jpg'], beside: { 'One/B.xmp': xmp }, title: 'Told' },
      '<file>.json': {
        media: ['One/Pier.jpg'],
        beside: { 'One/Pier.jpg.json': takeout },
        metadata: { overview: about },
      },
    },
  },
  chapters: {
    type: 'movies',
    examples: {
      '<name>.txt': film('Pier', { 'Pier (2001)/Pier (2001).txt': ogm }, { chapters }),
      '<name>.xml': film('Barn', { 'Barn (2001)/Barn (2001).xml': matroska }, { chapters }),
      '<name>.chapters.txt': film(
        'Mill',
        { 'Mill (2001)/Mill (2001).chapters.txt': ogm },
        { chapters },
      ),
      '<name>_chapters.xml': film(
        'Snow',
        { 'Snow (2001)/Snow (2001)_chapters.xml': matroska },
        { chapters },
      ),
    },
  },
  subtitles: {
    type: 'movies',
    examples: {
      '<name>.<language>.<flags>.<ext>': film(
        'Pier',
        { 'Pier (2001)/Pier (2001).de.sdh.srt': srt },
        { subtitles: ['de sdh'] },
      ),
      'Subs/2_English.srt': film(
        'Barn',
        { 'Barn (2001)/Subs/2_English.srt': srt },
        { subtitles: ['en'] },
      ),
      'Subs/<name>/2_English.srt': {
        media: ['Mill (2001)/Mill (2001) - 1080p.mkv', 'Mill (2001)/Mill (2001) - 2160p.mkv'],
        beside: { 'Mill (2001)/Subs/Mill (2001)/2_English.srt': srt },
        subtitles: ['en'],
      },
      'Subtitles/': film(
        'Lights',
        { 'Lights (2001)/Subtitles/Lights (2001).fr.srt': srt },
        { subtitles: ['fr'] },
      ),
      'English (Forced).srt': film(
        'Snow',
        { 'Snow (2001)/English (Forced).srt': srt },
        { subtitles: ['en forced'] },
      ),
      '<name>.smi': film(
        'Field',
        {
          'Field (2001)/Field (2001).smi':
            '<SAMI><HEAD><STYLE><!-- .KRCC { lang: ko-KR; } .ENCC { lang: en-US; } --></STYLE></HEAD><BODY><SYNC Start=100><P Class=KRCC>다리</P><P Class=ENCC>The bridge is out.</P></BODY></SAMI>',
        },
        { subtitles: ['ko-KR', 'en-US'] },
      ),
    },
  },
  pictures: {
    type: 'movies',
    examples: {
      '<name>.jpg': film(
        'Pier',
        { 'Pier (2001)/Pier (2001).jpg': 'picture' },
        { pictures: ['poster'] },
      ),
      '<name>-poster.jpg': film(
        'Barn',
        { 'Barn (2001)/Barn (2001)-poster.jpg': 'picture' },
        { pictures: ['poster'] },
      ),
      ...Object.fromEntries(
        Object.entries(pictureNames).map(([name, type]) => [
          `${name}.jpg`,
          film(
            `Of ${name}`,
            { [`Of ${name} (2001)/${name}.jpg`]: 'picture' },
            { pictures: [type] },
          ),
        ]),
      ),
      'extrafanart/': film(
        'Snow',
        { 'Snow (2001)/extrafanart/1.jpg': 'picture' },
        { pictures: ['backdrop'] },
      ),
    },
  },
  'pictures of seasons': {
    type: 'tv',
    examples: {
      'season01-poster.jpg': {
        media: ['Pier/Season 1/Pier S01E01.mkv'],
        beside: { 'Pier/season01-poster.jpg': 'picture' },
        entities: { season: { picture: true } },
      },
      'season-specials-poster.jpg': {
        media: ['Barn/Specials/Barn S00E01.mkv'],
        beside: { 'Barn/season-specials-poster.jpg': 'picture' },
        entities: { season: { picture: true } },
      },
    },
  },
  'pictures of artists': {
    type: 'music',
    examples: {
      'artist.jpg': {
        media: [`${vale}/01 - Pier.mp3`],
        beside: { 'Nora Vale/artist.jpg': 'picture' },
        entities: { artist: { name: 'Nora Vale', picture: true } },
      },
    },
  },
};

/** A row of the table of files that exclude folders: the films that a scan finds, beside those that it does not. */
export interface ExcludingCase {
  readonly texts: Readonly<Record<string, string>>;
  readonly found: readonly string[];
  readonly hidden: readonly string[];
}

/** By the first cell of a row, word for word. */
export const excluding: Readonly<Record<string, ExcludingCase>> = {
  '`.nomedia`': {
    texts: { 'Pier/.nomedia': 'not empty' },
    found: ['Barn (2001)/Barn (2001).mkv'],
    hidden: ['Pier/Pier (2001).mkv', 'Pier/Below/Below (2001).mkv'],
  },
  '`.ignore` without text': {
    texts: { 'Pier/.ignore': '' },
    found: ['Barn (2001)/Barn (2001).mkv'],
    hidden: ['Pier/Pier (2001).mkv', 'Pier/Below/Below (2001).mkv'],
  },
  '`.ignore` with text, `.plexignore`, `.jellyfinignore`': {
    texts: {
      'A/.ignore': '*.avi\nhidden/\n/only here.mkv\n',
      'B/.plexignore': '*.mkv\n!Kept (2001).mkv\n',
      'C/.jellyfinignore': 'Gone*\n',
    },
    found: [
      'A/Barn (2001)/Barn (2001).mkv',
      'A/Mill/only here.mkv',
      'B/Kept (2001).mkv',
      'C/Snow (2001).mkv',
    ],
    hidden: [
      'A/Pier (2001).avi',
      'A/hidden/Lost (2001).mkv',
      'A/only here.mkv',
      'B/Field (2001).mkv',
      'C/Gone (2001).mkv',
    ],
  },
};
