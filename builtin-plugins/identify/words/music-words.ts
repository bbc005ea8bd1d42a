const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** How a record was copied, as keys of tokens. These words are never the end of a title. */
export const formatWords: ReadonlySet<string> = setOf(
  'flac mp3 aac alac wavpack m4a ogg lossless lossy kbps kbit kbits cbr vbr hires hdtracks qobuz webrip webflac cdrip ' +
    'vinylrip lprip sacdr dsd dsd64 dsd128 dsf dff eac xld accuraterip khz',
);

/** Words beside one of those, or behind the year of the release, that also occur in titles. */
export const mediumWords: ReadonlySet<string> = setOf(
  'web cd cdr cds cdm cdep lp lps vinyl cassette sacd dvda dvd blu ray bluray promo retail scans scan cue log logs image ' +
    'tracks tracked bit bits hz stereo mono rip ripped v0 v1 v2 ape wav wv opus vorbis dts tidal deezer itunes spotify bandcamp ' +
    'hi res hq hd mqa pmedia nfo covers tak',
);

/** The same, only in a bracket. */
export const bracketWords: ReadonlySet<string> = setOf(
  'digital download tape amazon master masters hr cover art artwork proper repack single ep album albums full complete official',
);

/** Words beside a year that say which issue of a record it is. */
export const issueWords: ReadonlySet<string> = setOf(
  'remaster remastered remasters reissue reissued edition expanded deluxe release japan japanese us uk eu germany german france press pressing',
);

/** Folders in which a library of music begins. */
export const musicRoots: ReadonlySet<string> = new Set(
  'music,my music,musik,musica,música,musique,muziek,muzyka,музыка'.split(','),
);

/** Folders for tracks without an album or an artist, as some programs name them. */
export const placeholders: ReadonlySet<string> = new Set(
  'unknown album,unknown artist,unknown,[unknown],non-album,non album,non-album tracks,no album,singletons,loose,loose tracks,loose songs,unsorted'.split(
    ',',
  ),
);

/** Folders of a library of music that hold artists or albums and have no name of either. */
export const musicShelves: ReadonlySet<string> = new Set(
  (
    'flac,mp3,aac,alac,lossless,lossy,hi-res,hires,hi res,24bit,24-bit,vinyl,cds,cd,cd rips,cdrips,rips,artists,artist,by artist,interpreten,artistes,' +
    'genres,genre,by genre,itunes,itunes media,albums,rock,pop,metal,jazz,blues,classical,classic,klassik,electronic,electronica,dance,techno,house,hip hop,' +
    'hip-hop,hiphop,rap,country,folk,reggae,soul,funk,punk,indie,alternative,ambient,world,latin,r&b,rnb,disco,gospel,new age,easy listening,international,' +
    'рок,поп,variété,chanson,schlager,shoegaze,grunge,trance,drum & bass,drum and bass,dnb,dubstep,breakbeat,ska,k-pop,j-pop,jpop,kpop,' +
    'hard rock,classic rock,progressive rock,prog rock,prog,indie rock,alternative rock,punk rock,post-punk,post-rock,psychedelic,heavy metal,' +
    'black metal,death metal,doom metal,thrash metal,hardcore,metalcore,industrial,gothic,new wave,synthpop,synth-pop,trip-hop,trip hop,downtempo,' +
    'lounge,chillout,chill,idm,edm,eurodance,bluegrass,americana,singer-songwriter,opera,baroque,chamber music,symphonies,musicals,salsa,tango,' +
    'flamenco,bossa nova,fado,klezmer,afrobeat,dub,dancehall,swing,bebop,big band,fusion,acoustic,instrumental,children,kids,christmas,comedy,' +
    'spoken word,experimental,noise,volksmusik,deutschrap,schlager,шансон,русский рок'
  ).split(','),
);
