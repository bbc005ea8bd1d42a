import { gapBefore, type Name, type Token } from './tokens.ts';

/** A date in a name, and its tokens. */
export interface DateInName {
  readonly date: string;
  readonly first: number;
  readonly last: number;
}

const months = new Map(
  [
    'jan january janvier januar enero gennaio janeiro',
    'feb february février fevrier februar febrero febbraio fevereiro',
    'mar march mars märz marz marzo março',
    'apr april avril abril aprile',
    'may mai mayo maggio maio',
    'jun june juin juni junio giugno junho',
    'jul july juillet juli julio luglio julho',
    'aug august août aout agosto',
    'sep sept september septembre septiembre settembre setembro',
    'oct october octobre oktober octubre ottobre outubro okt',
    'nov november novembre noviembre novembro',
    'dec december décembre decembre dezember diciembre dicembre dezembro dez',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** Whether a token is a year that films and series have. */
export function isYear(token: Token | undefined, thisYear: number): boolean {
  return (
    token !== undefined &&
    token.value >= 1878 &&
    token.value <= thisYear + 2 &&
    token.text.length <= 5 &&
    !token.text.startsWith('0')
  );
}

/** Finds the first full date of a name. */
export function findDate(name: Name, thisYear: number): DateInName | undefined {
  for (let index = 0; index < name.tokens.length; index += 1) {
    const found = dateAt(name, index, thisYear);
    if (found !== undefined) return found;
  }
  return undefined;
}

function dateAt(name: Name, index: number, thisYear: number): DateInName | undefined {
  const [a, b, c] = [name.tokens[index], name.tokens[index + 1], name.tokens[index + 2]];
  if (a === undefined || (!a.hasDigit && !months.has(a.key))) return undefined;
  if (!Number.isInteger(a.value)) return undefined;
  const within = (year: number): boolean => year >= 1930 && year <= thisYear + 2;
  const found = (year: number, month: number, day: number, last: number): DateInName | undefined =>
    within(year) && isDay(year, month, day)
      ? { date: writeDate(year, month, day), first: index, last }
      : undefined;

  if (a.text.length === 8 && a.value > 0) {
    return found(
      Math.floor(a.value / 10000),
      Math.floor(a.value / 100) % 100,
      a.value % 100,
      index,
    );
  }
  if (a.text.length === 6 && a.value > 0) {
    const year = fullYear(Math.floor(a.value / 10000), thisYear);
    return found(year, Math.floor(a.value / 100) % 100, a.value % 100, index);
  }
  if (b === undefined || c === undefined) return undefined;
  const month = months.get(b.key);
  const day = dayNumber(a);
  if (month !== undefined && day !== undefined && (c.text.length === 4 || c.text.length === 2)) {
    return found(c.value < 100 ? 2000 + c.value : c.value, month, day, index + 2);
  }
  const namedFirst = months.get(a.key);
  const secondDay = dayNumber(b);
  if (namedFirst !== undefined && secondDay !== undefined && c.text.length === 4) {
    return found(c.value, namedFirst, secondDay, index + 2);
  }
  if (a.value < 0 || b.value < 0 || c.value < 0) return undefined;
  const joint = gapBefore(name, index + 1);
  if (joint.length !== 1 || joint !== gapBefore(name, index + 2)) return undefined;
  if (b.text.length > 2) return undefined;
  if (a.text.length === 4 && c.text.length <= 2) {
    return (
      found(a.value, b.value, c.value, index + 2) ?? found(a.value, c.value, b.value, index + 2)
    );
  }
  if (c.text.length === 4 && a.text.length <= 2) {
    return (
      found(c.value, b.value, a.value, index + 2) ?? found(c.value, a.value, b.value, index + 2)
    );
  }
  if (a.text.length === 2 && b.text.length === 2 && c.text.length === 2 && joint !== ' ') {
    return (
      found(fullYear(a.value, thisYear), b.value, c.value, index + 2) ??
      found(fullYear(c.value, thisYear), b.value, a.value, index + 2) ??
      found(fullYear(c.value, thisYear), a.value, b.value, index + 2)
    );
  }
  return undefined;
}

/** Two digits of a year; 0 for a year that is too early. */
function fullYear(value: number, thisYear: number): number {
  if (value <= thisYear % 100) return 2000 + value;
  return value < 90 ? 0 : 1900 + value;
}

function dayNumber(token: Token): number | undefined {
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(token.key);
  return day === null ? undefined : Number(day[1]);
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

function writeDate(year: number, month: number, day: number): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}
