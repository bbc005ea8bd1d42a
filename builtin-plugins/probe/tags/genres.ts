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

/** `(17)`, `(17)Rock`, `17` and plain names, as in ID3. */
export function genresIn(text: string): string {
  return text
    .split('\0')
    .flatMap((part) => {
      const numbered = [...part.matchAll(/\((\d{1,3})\)/g)].map((match) =>
        genreName(Number(match[1])),
      );
      const rest = part.replace(/\((\d{1,3}|RX|CR)\)/g, '').trim();
      if (/^\d{1,3}$/.test(rest)) return [genreName(Number(rest))];
      return rest === '' ? numbered : [rest];
    })
    .filter((name) => name !== undefined)
    .join('\0');
}
