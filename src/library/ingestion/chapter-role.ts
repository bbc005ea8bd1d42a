import type { BundleChapter } from '../../../plugin-api/index.ts';

type Role = NonNullable<BundleChapter['role']>;

/** Whole titles by role, in lower case: en, de, fr, es, it, pt, nl, pl, ru, ja. */
const titles: Readonly<Record<'intro' | 'credits' | 'recap', readonly string[]>> = {
  intro: [
    ...['intro', 'introduction', 'opening', 'opening credits', 'opening titles', 'op'],
    ...['main title', 'main titles', 'title sequence', 'vorspann', 'einleitung'],
    ...['générique de début', "générique d'ouverture", 'ouverture'],
    ...['introducción', 'apertura', 'cabecera', 'créditos iniciales'],
    ...['introduzione', 'titoli di testa', 'sigla iniziale'],
    ...['introdução', 'abertura', 'créditos iniciais'],
    ...['inleiding', 'begintitels', 'openingstitels', 'wprowadzenie', 'wstęp', 'czołówka'],
    ...['интро', 'вступление', 'заставка', 'опенинг', 'начальные титры'],
    ...['イントロ', 'オープニング', 'オープニングテーマ'],
  ],
  credits: [
    ...['credits', 'end credits', 'ending credits', 'closing credits', 'end titles', 'ending'],
    ...['outro', 'ed', 'abspann', 'nachspann', 'générique', 'générique de fin'],
    ...['créditos', 'créditos finales', 'créditos finais', 'cierre', 'encerramento'],
    ...['titoli di coda', 'sigla finale', 'aftiteling', 'eindtitels', 'eindcredits'],
    ...['napisy', 'napisy końcowe', 'титры', 'финальные титры', 'конечные титры', 'эндинг'],
    ...['エンディング', 'エンディングテーマ', 'エンドロール', 'エンドクレジット', 'クレジット'],
  ],
  recap: [
    ...['recap', 'previously', 'previously on', 'rückblick', 'was bisher geschah'],
    ...['résumé', 'précédemment', 'resumen', 'anteriormente', 'en capítulos anteriores'],
    ...['riassunto', 'nelle puntate precedenti', 'resumo', 'nos episódios anteriores'],
    ...['samenvatting', 'wat voorafging', 'streszczenie', 'poprzednio'],
    ...['w poprzednich odcinkach', 'краткое содержание', 'ранее', 'в предыдущих сериях'],
    ...['あらすじ', '前回のあらすじ', 'これまでのあらすじ'],
  ],
};

const roles: ReadonlyMap<string, Role> = new Map(
  Object.entries(titles).flatMap(([role, list]) =>
    list.map((title): [string, Role] => [title, role as Role]),
  ),
);

/** The role of a chapter that a video names `Intro`, `3. End Credits` or `Vorspann`. */
export function roleOfTitle(title = ''): Role {
  const plain = title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^\s*\d{1,3}\s*[.:)-]?\s+/u, '')
    .replace(/[\s.:…!-]+$/u, '')
    .trim();
  return roles.get(plain) ?? 'chapter';
}
