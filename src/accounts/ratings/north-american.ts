import { rung, type RatingSystem } from './rating-system.ts';

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
    rungs: [
      rung('G', 0),
      rung('PG', 8, 'GP'),
      rung('PG-13', 13, 'PG13'),
      rung('R', 17),
      rung('NC-17', 18, 'NC17', 'X'),
    ],
  },
  {
    // A series for children of seven and more stands above what is for all ages.
    id: 'TV',
    authority: 'TV Parental Guidelines Monitoring Board',
    source: 'http://www.tvguidelines.org',
    aliases: [],
    countries: unitedStates,
    descriptors: 'DLSV',
    rungs: [
      rung('TV-Y', 0),
      rung('TV-G', 0),
      rung('TV-Y7', 7),
      rung('TV-Y7-FV', 7),
      rung('TV-PG', 8),
      rung('TV-14', 14),
      rung('TV-MA', 17),
    ],
  },
  {
    id: 'CHVRS',
    authority: 'Canadian Home Video Rating System, and the provincial film boards',
    source: 'https://www.mpa-canada.org',
    aliases: [],
    countries: ['CA', 'CAN', 'Canada'],
    descriptors: '',
    rungs: [
      rung('G', 0),
      rung('PG', 8),
      rung('14A', 14),
      rung('18A', 18),
      rung('R', 18),
      rung('A', 18),
    ],
  },
  {
    id: 'QC',
    authority: 'Ministère de la Culture et des Communications du Québec',
    source: 'https://www.quebec.ca',
    aliases: ['RCQ', 'Québec', 'Quebec', 'CA-QC'],
    countries: [],
    descriptors: '',
    rungs: [rung('G', 0), rung('13+', 13), rung('16+', 16), rung('18+', 18)],
  },
  {
    id: 'ESRB',
    authority: 'Entertainment Software Rating Board',
    source: 'https://www.esrb.org',
    aliases: [],
    countries: [],
    descriptors: '',
    rungs: [
      rung('EC', 0, 'eC', 'Early Childhood'),
      rung('E', 0, 'Everyone', 'K-A', 'Kids to Adults'),
      rung('E10+', 10, 'Everyone 10+'),
      rung('T', 13, 'Teen'),
      rung('M', 17, 'Mature', 'Mature 17+', 'M17+'),
      rung('AO', 18, 'Adults Only', 'Adults Only 18+'),
    ],
  },
  {
    id: 'RTC',
    authority: 'Dirección General de Radio, Televisión y Cinematografía',
    source: 'https://www.gob.mx',
    aliases: [],
    countries: ['MX', 'MEX', 'Mexico', 'México'],
    descriptors: '',
    rungs: [
      rung('AA', 0),
      rung('A', 0),
      rung('B', 12),
      rung('B15', 15, 'B-15'),
      rung('C', 18),
      rung('D', 18),
    ],
  },
];
