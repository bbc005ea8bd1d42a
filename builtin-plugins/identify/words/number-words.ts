/** Numbers as words, each line from one on, as keys of tokens. */
export const numberWords: readonly string[] = [
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  'un deux trois quatre cinq six sept huit neuf dix onze douze',
  'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  'uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
  'uno due tre quattro cinque sei sette otto nove dieci undici dodici',
  'um dois três quatro cinco seis sete oito nove dez onze doze',
];

/** Ordinals as words, each line from the first on. */
export const ordinalWords: readonly string[] = [
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
  'première deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième',
  'premiere deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme',
  'erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte',
  'primera segunda tercera cuarta quinta sexta séptima octava novena décima',
  'prima seconda terza quarta quinta sesta settima ottava nona decima',
  'primeira segunda terceira quarta quinta sexta sétima oitava nona décima',
  'eerste tweede derde vierde vijfde zesde zevende achtste negende tiende',
  'pierwszy drugi trzeci czwarty piąty szósty siódmy ósmy dziewiąty dziesiąty',
  'первый второй третий четвертый пятый шестой седьмой восьмой девятый десятый',
];
