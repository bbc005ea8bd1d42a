import { rung, type RatingSystem, type Rung } from './rating-system.ts';

/** Steps that are named by their age alone. */
const ages = (...years: readonly number[]): readonly Rung[] =>
  years.map((age) => rung(String(age), age, `${age}+`));

const plain = { aliases: [], descriptors: '' } as const;

/** The systems of Europe. */
export const european: readonly RatingSystem[] = [
  {
    ...plain,
    id: 'BBFC',
    authority: 'British Board of Film Classification',
    source: 'https://www.bbfc.co.uk',
    countries: ['GB', 'UK', 'United Kingdom', 'Great Britain'],
    rungs: [
      rung('U', 0, 'Uc'),
      rung('PG', 8),
      rung('12', 12, '12A'),
      rung('15', 15, 'AA'),
      rung('18', 18, 'X'),
      rung('R18', 18),
    ],
  },
  {
    ...plain,
    id: 'IFCO',
    authority: 'Irish Film Classification Office',
    source: 'https://www.ifco.ie',
    countries: ['IE', 'IRL', 'Ireland'],
    rungs: [
      rung('G', 0),
      rung('PG', 8),
      rung('12', 12, '12A'),
      rung('15', 15, '15A'),
      rung('16', 16),
      rung('18', 18),
    ],
  },
  {
    ...plain,
    id: 'FSK',
    authority: 'Freiwillige Selbstkontrolle der Filmwirtschaft',
    source: 'https://www.fsk.de',
    countries: ['DE', 'DEU', 'GER', 'Germany', 'Deutschland'],
    rungs: [
      rung('0', 0, '0+', 'ab 0', 'o.A.', 'o.Al.', 'ohne Altersbeschränkung'),
      ...[6, 12, 16, 18].map((age) =>
        rung(
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
    rungs: ages(0, 6, 12, 16, 18),
  },
  {
    ...plain,
    id: 'PEGI',
    authority: 'Pan European Game Information',
    source: 'https://pegi.info',
    countries: [],
    rungs: ages(3, 7, 12, 16, 18),
  },
  {
    ...plain,
    id: 'CNC',
    authority: 'Centre national du cinéma et de l’image animée; Arcom for television',
    source: 'https://www.cnc.fr',
    aliases: ['CSA', 'Arcom'],
    countries: ['FR', 'FRA', 'France'],
    rungs: [
      rung('TP', 0, 'U', 'Tous publics', 'T'),
      ...[10, 12, 16, 18].map((age) =>
        rung(String(age), age, `-${age}`, `${age}+`, `Interdit aux moins de ${age} ans`),
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
    rungs: [rung('AL', 0, 'Alle leeftijden', 'KT'), ...ages(6, 9, 12, 14, 16, 18)],
  },
  {
    ...plain,
    id: 'ICAA',
    authority: 'Instituto de la Cinematografía y de las Artes Audiovisuales',
    source: 'https://www.cultura.gob.es',
    countries: ['ES', 'ESP', 'Spain', 'España'],
    rungs: [
      rung('APTA', 0, 'A', 'Ai', 'TP', 'Apta para todos los públicos'),
      ...ages(7, 12, 16, 18),
      rung('X', 18),
    ],
  },
  {
    ...plain,
    id: 'IT',
    authority: 'Ministero della Cultura, Direzione generale Cinema e audiovisivo',
    source: 'https://cinema.cultura.gov.it',
    countries: ['ITA', 'Italy', 'Italia'],
    rungs: [
      rung('T', 0, 'Per tutti'),
      rung('6+', 6),
      rung('14+', 14, 'VM14', 'VM 14'),
      rung('18+', 18, 'VM18', 'VM 18'),
    ],
  },
  {
    ...plain,
    id: 'IGAC',
    authority: 'Inspeção-Geral das Atividades Culturais',
    source: 'https://www.igac.gov.pt',
    aliases: ['CCE'],
    countries: ['PT', 'PRT', 'Portugal'],
    rungs: [
      rung('Para todos', 0, 'A', 'T', 'Todos'),
      ...[3, 6, 12, 14, 16, 18].map((age) => rung(`M/${age}`, age, `${age}`)),
    ],
  },
  {
    ...plain,
    id: 'JMK',
    authority: 'Jugendmedienkommission',
    source: 'https://www.bmb.gv.at',
    countries: ['AT', 'AUT', 'Austria', 'Österreich'],
    rungs: ages(0, 6, 8, 10, 12, 14, 16, 18),
  },
  {
    ...plain,
    id: 'JIF',
    authority: 'Schweizerische Kommission Jugendschutz im Film',
    source: 'https://filmrating.ch',
    countries: ['CH', 'CHE', 'Switzerland', 'Schweiz', 'Suisse'],
    rungs: ages(0, 6, 8, 10, 12, 14, 16, 18),
  },
  {
    ...plain,
    id: 'SMR',
    authority: 'Mediemyndigheten',
    source: 'https://mediemyndigheten.se',
    aliases: ['Statens medieråd'],
    countries: ['SE', 'SWE', 'Sweden', 'Sverige'],
    rungs: [rung('Btl', 0, 'Barntillåten'), ...ages(7, 11, 15)],
  },
  {
    ...plain,
    id: 'MCCYP',
    authority: 'Medierådet for Børn og Unge',
    source: 'https://www.medieraadet.dk',
    aliases: ['Medierådet'],
    countries: ['DK', 'DNK', 'Denmark', 'Danmark'],
    rungs: [rung('A', 0, 'Tilladt for alle'), ...ages(7, 11, 15)],
  },
  {
    ...plain,
    id: 'Medietilsynet',
    authority: 'Medietilsynet',
    source: 'https://www.medietilsynet.no',
    countries: ['NO', 'NOR', 'Norway', 'Norge'],
    rungs: [rung('A', 0, 'Alle', 'Tillatt for alle'), ...ages(6, 7, 9, 11, 12, 15, 18)],
  },
  {
    ...plain,
    id: 'KAVI',
    authority: 'Kansallinen audiovisuaalinen instituutti',
    source: 'https://kavi.fi',
    aliases: ['MEKU'],
    countries: ['FI', 'FIN', 'Finland', 'Suomi'],
    rungs: [
      rung('S', 0, 'Sallittu', 'T'),
      ...[7, 11, 12, 13, 15, 16, 18].map((age) => rung(String(age), age, `K-${age}`)),
    ],
  },
  {
    ...plain,
    id: 'RARS',
    authority: 'Russian Federal Law 436-FZ',
    source: 'https://eng.rkn.gov.ru',
    countries: ['RU', 'RUS', 'Russia'],
    rungs: [0, 6, 12, 16, 18].map((age) => rung(`${age}+`, age)),
  },
];
