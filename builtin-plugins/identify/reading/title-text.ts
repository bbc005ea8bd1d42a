import { type Name } from './tokens.ts';

const spaces = /[\s_\u3000]+/g;
/** Characters that `spaces` would change. */
const unevenSpaces = /[\t-\r_\u00a0\u2000-\u3000]| {2}/;
const emptyBrackets = /\(\s*\)|\[\s*\]|\{\s*\}/g;
const edges = ' \t.,-_:;~|/\\=+*"“”„«»「」『』《》〈〉・·–—―•．＿－，：；／～';
const singleLetter = /^\p{L}$/u;

/** The words `[first, last)` of a name as a title: with its own case and punctuation. */
export function titleText(name: Name, first: number, last: number): string {
  const start = name.tokens[first]?.start;
  const end = name.tokens[last - 1]?.end;
  if (start === undefined || end === undefined || last <= first) return '';
  return readable(withBrackets(name, first, last, start, end));
}

/** Adds brackets that begin or end the range and close inside it. */
function withBrackets(name: Name, first: number, last: number, start: number, end: number): string {
  const head = name.brackets[name.tokens[first]?.bracket ?? -1];
  const tail = name.brackets[name.tokens[last - 1]?.bracket ?? -1];
  const from = head?.first === first && head.last <= last ? head.start : start;
  const to = tail?.last === last && tail.first >= first ? tail.end : end;
  return name.text.slice(from, to);
}

/** Turns dots and underscores that stand for spaces into spaces, and trims separators. */
export function readable(raw: string): string {
  const text = !raw.includes('.') || isSpaced(raw) ? raw : withoutDots(raw);
  return trimEdges(unevenSpaces.test(text) ? text.replace(spaces, ' ') : text);
}

/** There are spaces between the words, so dots do not stand for spaces. */
function isSpaced(raw: string): boolean {
  return /\s/.test(raw.trim()) && !raw.includes('.-.');
}

/** `S.H.I.E.L.D` keeps its dots; between words a dot is a space. */
function withoutDots(raw: string): string {
  const parts = raw.split('.');
  let result = '';
  let isAcronym = false;
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    result += part;
    if (next === undefined) {
      if (isAcronym) result += '.';
    } else if (singleLetter.test(part) && singleLetter.test(next)) {
      result += '.';
      isAcronym = true;
    } else {
      result += isAcronym ? '. ' : ' ';
      isAcronym = false;
    }
  }
  return result;
}

function trimEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && edges.includes(text.charAt(start))) start += 1;
  while (end > start && isTrailing(text, end - 1)) end -= 1;
  const trimmed = text.slice(start, end);
  return /[([{]/.test(trimmed) ? trimmed.replace(emptyBrackets, '').trim() : trimmed;
}

/** A dot at the end belongs to `P.I.`, `Co.` and the like if a letter is before it. */
function isTrailing(text: string, index: number): boolean {
  const character = text.charAt(index);
  if (!edges.includes(character)) return false;
  return character !== '.' || !/\.\p{L}\.$/u.test(text.slice(Math.max(0, index - 2), index + 1));
}
