/** Genres that old tags name by number: ID3's first 80, and Winamp's. */
const names = (
  'Blues|Classic Rock|Country|Dance|Disco|Funk|Grunge|Hip-Hop|Jazz|Metal|New Age|Oldies|Other|Pop|R&B|Rap|' +
  'Reggae|Rock|Techno|Industrial|Alternative|Ska|Death Metal|Pranks|Soundtrack|Euro-Techno|Ambient|Trip-Hop|' +
  'Vocal|Jazz+Funk|Fusion|Trance|Classical|Instrumental|Acid|House|Game|Sound Clip|Gospel|Noise|Alternative Rock|' +
  'Bass|Soul|Punk|Space|Meditative|Instrumental Pop|Instrumental Rock|Ethnic|Gothic|Darkwave|Techno-Industrial|' +
  'Electronic|Pop-Folk|Eurodance|Dream|Southern Rock|Comedy|Cult|Gangsta|Top 40|Christian Rap|Pop/Funk|Jungle|' +
  'Native American|Cabaret|New Wave|Psychedelic|Rave|Showtunes|Trailer|Lo-Fi|Tribal|Acid Punk|Acid Jazz|Polka|' +
  'Retro|Musical|Rock & Roll|Hard Rock|Folk|Folk-Rock|National Folk|Swing|Fast Fusion|Bebop|Latin|Revival|Celtic|' +
  'Bluegrass|Avantgarde|Gothic Rock|Progressive Rock|Psychedelic Rock|Symphonic Rock|Slow Rock|Big Band|Chorus|' +
  'Easy Listening|Acoustic|Humour|Speech|Chanson|Opera|Chamber Music|Sonata|Symphony|Booty Bass|Primus|Porn Groove|' +
  'Satire|Slow Jam|Club|Tango|Samba|Folklore|Ballad|Power Ballad|Rhythmic Soul|Freestyle|Duet|Punk Rock|Drum Solo|' +
  'A Cappella|Euro-House|Dance Hall|Goa|Drum & Bass|Club-House|Hardcore|Terror|Indie|BritPop|Negerpunk|Polsk Punk|' +
  'Beat|Christian Gangsta Rap|Heavy Metal|Black Metal|Crossover|Contemporary Christian|Christian Rock|Merengue|' +
  'Salsa|Thrash Metal|Anime|JPop|Synthpop'
).split('|');

/** The name for a number; `undefined` for an unknown one. */
export function genreName(number: number): string | undefined {
  return names[number];
}

/**
 * `(17)`, `(17)(9)Slow Metal`, `17` and plain names, as in ID3: the genres of the numbers in front, and the
 * words behind them. `((` begins a name with a bracket.
 */
export function genresIn(text: string): string {
  const found = text.split('\0').flatMap((part) => {
    const front = /^(?:\s*\((?:\d{1,3}|RX|CR)\))*/.exec(part)?.[0] ?? '';
    const numbers = [...front.matchAll(/\d+/g)].map(([number]) => genreName(Number(number)));
    const rest = part.slice(front.length).trim().replace(/^\(\(/, '(');
    return [...numbers, /^\d{1,3}$/.test(rest) ? genreName(Number(rest)) : rest];
  });
  const names = new Map<string, string>();
  for (const name of found) if (name) names.set(name.toLowerCase(), name);
  return [...names.values()].join('\0');
}
