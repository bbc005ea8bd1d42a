import { level, type RatingSystem, type RatingLevel } from './rating-system.ts';

/** Levels that are named by their age alone. */
const ages = (...years: readonly number[]): readonly RatingLevel[] =>
  years.map((age) => level(String(age), age, `${age}+`));

const plain = { aliases: [], descriptors: '' } as const;

/** The systems of Europe. */
export const european: readonly RatingSystem[] = [
  {
    ...plain,
    id: 'BBFC',
    authority: 'British Board of Film Classification',
    source: 'https://www.bbfc.co.uk',
    countries: ['GB', 'UK', 'United Kingdom', 'Great Britain'],
    levels: [
      level('U', 0, 'Uc'),
      level('PG', 8),
      level('12', 12, '12A'),
      level('15', 15, 'AA'),
      level('18', 18, 'X'),
      level('R18', 18),
    ],
  },
  {
    ...plain,
    id: 'IFCO',
    authority: 'Irish Film Classification Office',
    source: 'https://www.ifco.ie',
    countries: ['IE', 'IRL', 'Ireland'],
    levels: [
      level('G', 0),
      level('PG', 8),
      level('12', 12, '12A'),
      level('15', 15, '15A'),
      level('16', 16),
      level('18', 18),
    ],
  },
  {
    ...plain,
    id: 'FSK',
    authority: 'Freiwillige Selbstkontrolle der Filmwirtschaft',
    source: 'https://www.fsk.de',
    countries: ['DE', 'DEU', 'GER', 'Germany', 'Deutschland'],
    levels: [
      level('0', 0, '0+', 'ab 0', 'o.A.', 'o.Al.', 'ohne Altersbeschränkung'),
      ...[6, 12, 16, 18].map((age) =>
        level(
          String(age),
          age,
          `${age}+`,
          ...[`ab ${age}`, `ab ${age} Jahren`, `ab ${age} freigegeben`],
          `Freigegeben ab ${age} Jahren`,
        ),
      ),
    ],
  },
  {
    ...plain,
    id: 'USK',
    authority: 'Unterhaltungssoftware Selbstkontrolle',
    source: 'https://usk.de',
    countries: [],
    levels: ages(0, 6, 12, 16, 18),
  },
  {
    ...plain,
    id: 'PEGI',
    authority: 'Pan European Game Information',
    source: 'https://pegi.info',
    countries: [],
    levels: ages(3, 7, 12, 16, 18),
  },
  {
    ...plain,
    id: 'CNC',
    authority: 'Centre national du cinéma et de l’image animée; Arcom for television',
    source: 'https://www.cnc.fr',
    aliases: ['CSA', 'Arcom'],
    countries: ['FR', 'FRA', 'France'],
    levels: [
      level('TP', 0, 'U', 'Tous publics', 'T'),
      ...[10, 12, 16, 18].map((age) =>
        level(String(age), age, `-${age}`, `${age}+`, `Interdit aux moins de ${age} ans`),
      ),
    ],
  },
  {
    ...plain,
    id: 'Kijkwijzer',
    authority: 'Nederlands Instituut voor de Classificatie van Audiovisuele Media',
    source: 'https://www.kijkwijzer.nl',
    aliases: ['NICAM'],
    countries: ['NL', 'NLD', 'Netherlands', 'Nederland', 'BE', 'BEL', 'Belgium'],
    levels: [level('AL', 0, 'Alle leeftijden', 'KT'), ...ages(6, 9, 12, 14, 16, 18)],
  },
  {
    ...plain,
    id: 'ICAA',
    authority: 'Instituto de la Cinematografía y de las Artes Audiovisuales',
    source: 'https://www.cultura.gob.es',
    countries: ['ES', 'ESP', 'Spain', 'España'],
    levels: [
      level('APTA', 0, 'A', 'Ai', 'TP', 'Apta para todos los públicos'),
      ...ages(7, 12, 16, 18),
      level('X', 18),
    ],
  },
  {
    ...plain,
    id: 'IT',
    authority: 'Ministero della Cultura, Direzione generale Cinema e audiovisivo',
    source: 'https://cinema.cultura.gov.it',
    countries: ['ITA', 'Italy', 'Italia'],
    levels: [
      level('T', 0, 'Per tutti'),
      level('6+', 6),
      level('14+', 14, 'VM14', 'VM 14'),
      level('18+', 18, 'VM18', 'VM 18'),
    ],
  },
  {
    ...plain,
    id: 'IGAC',
    authority: 'Inspeção-Geral das Atividades Culturais',
    source: 'https://www.igac.gov.pt',
    aliases: ['CCE'],
    countries: ['PT', 'PRT', 'Portugal'],
    levels: [
      level('Para todos', 0, 'A', 'T', 'Todos'),
      ...[3, 6, 12, 14, 16, 18].map((age) => level(`M/${age}`, age, `${age}`)),
    ],
  },
  {
    ...plain,
    id: 'JMK',
    authority: 'Jugendmedienkommission',
    source: 'https://www.bmb.gv.at',
    countries: ['AT', 'AUT', 'Austria', 'Österreich'],
    levels: ages(0, 6, 8, 10, 12, 14, 16, 18),
  },
  {
    ...plain,
    id: 'JIF',
    authority: 'Schweizerische Kommission Jugendschutz im Film',
    source: 'https://filmrating.ch',
    countries: ['CH', 'CHE', 'Switzerland', 'Schweiz', 'Suisse'],
    levels: ages(0, 6, 8, 10, 12, 14, 16, 18),
  },
  {
    ...plain,
    id: 'SMR',
    authority: 'Mediemyndigheten',
    source: 'https://mediemyndigheten.se',
    aliases: ['Statens medieråd'],
    countries: ['SE', 'SWE', 'Sweden', 'Sverige'],
    levels: [level('Btl', 0, 'Barntillåten'), ...ages(7, 11, 15)],
  },
  {
    ...plain,
    id: 'MCCYP',
    authority: 'Medierådet for Børn og Unge',
    source: 'https://www.medieraadet.dk',
    aliases: ['Medierådet'],
    countries: ['DK', 'DNK', 'Denmark', 'Danmark'],
    levels: [level('A', 0, 'Tilladt for alle'), ...ages(7, 11, 15)],
  },
  {
    ...plain,
    id: 'Medietilsynet',
    authority: 'Medietilsynet',
    source: 'https://www.medietilsynet.no',
    countries: ['NO', 'NOR', 'Norway', 'Norge'],
    levels: [level('A', 0, 'Alle', 'Tillatt for alle'), ...ages(6, 7, 9, 11, 12, 15, 18)],
  },
  {
    ...plain,
    id: 'KAVI',
    authority: 'Kansallinen audiovisuaalinen instituutti',
    source: 'https://kavi.fi',
    aliases: ['MEKU'],
    countries: ['FI', 'FIN', 'Finland', 'Suomi'],
    levels: [
      level('S', 0, 'Sallittu', 'T'),
      ...[7, 11, 12, 13, 15, 16, 18].map((age) => level(String(age), age, `K-${age}`)),
    ],
  },
  {
    ...plain,
    id: 'RARS',
    authority: 'Russian Federal Law 436-FZ',
    source: 'https://eng.rkn.gov.ru',
    countries: ['RU', 'RUS', 'Russia'],
    levels: [0, 6, 12, 16, 18].map((age) => level(`${age}+`, age)),
  },
];
