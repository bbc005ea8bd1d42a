import { level, type RatingSystem } from './rating-system.ts';

const unitedStates = ['US', 'USA', 'United States'];

/** The systems of North America. */
export const northAmerican: readonly RatingSystem[] = [
  {
    id: 'MPAA',
    authority: 'Motion Picture Association, Classification and Rating Administration',
    source: 'https://www.filmratings.com',
    aliases: ['MPA', 'CARA'],
    countries: unitedStates,
    descriptors: '',
    levels: [
      level('G', 0),
      level('PG', 8, 'GP'),
      level('PG-13', 13, 'PG13'),
      level('R', 17),
      level('NC-17', 18, 'NC17', 'X'),
    ],
  },
  {
    // TV-Y7, for children of seven and older, is stricter than TV-G, for all ages.
    id: 'TV',
    authority: 'TV Parental Guidelines Monitoring Board',
    source: 'http://www.tvguidelines.org',
    aliases: [],
    countries: unitedStates,
    descriptors: 'DLSV',
    levels: [
      level('TV-Y', 0),
      level('TV-G', 0),
      level('TV-Y7', 7),
      level('TV-Y7-FV', 7),
      level('TV-PG', 8),
      level('TV-14', 14),
      level('TV-MA', 17),
    ],
  },
  {
    id: 'CHVRS',
    authority: 'Canadian Home Video Rating System, and the provincial film boards',
    source: 'https://www.mpa-canada.org',
    aliases: [],
    countries: ['CA', 'CAN', 'Canada'],
    descriptors: '',
    levels: [
      level('G', 0),
      level('PG', 8),
      level('14A', 14),
      level('18A', 18),
      level('R', 18),
      level('A', 18),
    ],
  },
  {
    id: 'QC',
    authority: 'Ministère de la Culture et des Communications du Québec',
    source: 'https://www.quebec.ca',
    aliases: ['RCQ', 'Québec', 'Quebec', 'CA-QC'],
    countries: [],
    descriptors: '',
    levels: [level('G', 0), level('13+', 13), level('16+', 16), level('18+', 18)],
  },
  {
    id: 'ESRB',
    authority: 'Entertainment Software Rating Board',
    source: 'https://www.esrb.org',
    aliases: [],
    countries: [],
    descriptors: '',
    levels: [
      level('EC', 0, 'eC', 'Early Childhood'),
      level('E', 0, 'Everyone', 'K-A', 'Kids to Adults'),
      level('E10+', 10, 'Everyone 10+'),
      level('T', 13, 'Teen'),
      level('M', 17, 'Mature', 'Mature 17+', 'M17+'),
      level('AO', 18, 'Adults Only', 'Adults Only 18+'),
    ],
  },
  {
    id: 'RTC',
    authority: 'Dirección General de Radio, Televisión y Cinematografía',
    source: 'https://www.gob.mx',
    aliases: [],
    countries: ['MX', 'MEX', 'Mexico', 'México'],
    descriptors: '',
    levels: [
      level('AA', 0),
      level('A', 0),
      level('B', 12),
      level('B15', 15, 'B-15'),
      level('C', 18),
      level('D', 18),
    ],
  },
];
