/**
 * Writes a query in FTS5's language. Only words are written, each run of them in double quotes, and a
 * word has neither quotes nor operators. So no text can be syntax.
 */
import { isUnspaced, wordsOf } from './split-words.ts';

/** One term of a query: its text, or one of its alternatives, must match. */
export interface QueryTerm {
  readonly text: string;
  readonly prefix?: boolean;
  readonly alternatives?: readonly string[];
}

/** A piece of an expression: literal text, or a place for all words with a beginning. */
export type ExpressionPart = string | { readonly beginning: string };

/** What a term matches in a title: one of these, in the title's words with a space before and after. */
export type TitlePatterns = readonly string[];

/** A query for the index. */
export interface MatchExpression {
  /** Joined, they are the expression. */
  readonly parts: readonly ExpressionPart[];
  /** For each term: one of these must match. */
  readonly phrases: readonly (readonly Phrase[])[];
  /** For each term. */
  readonly titlePatterns: readonly TitlePatterns[];
}

/** Beginnings of these lengths have an index of their own; longer ones do not. */
export const indexedBeginnings = [1, 2, 3] as const;

/** Consecutive words. */
export interface Phrase {
  readonly words: readonly string[];
  /** The last word is the beginning of a word. */
  readonly isOpen: boolean;
}

/** `null` when no term has a word. */
export function matchExpression(terms: readonly QueryTerm[]): MatchExpression | null {
  const groups = terms.map(phrasesOf).filter((phrases) => phrases.length > 0);
  if (groups.length === 0) return null;
  const parts = groups.flatMap((phrases, at) => {
    const group = joined(phrases.map(partOf), ' OR ');
    return [...(at > 0 ? [' AND '] : []), ...(phrases.length > 1 ? ['(', ...group, ')'] : group)];
  });
  return { parts, phrases: groups, titlePatterns: groups.map((phrases) => phrases.map(patternOf)) };
}

/** The expression as one text; FTS5 expands every beginning. */
export function expressionText({ parts }: MatchExpression): string {
  return parts.map((part) => (typeof part === 'string' ? part : openText(part.beginning))).join('');
}

/** A beginning, in FTS5's language. */
export function openText(beginning: string): string {
  return `"${beginning}" *`;
}

function phrasesOf({ text, prefix = false, alternatives = [] }: QueryTerm): readonly Phrase[] {
  const phrases = [toPhrase(text, prefix), ...alternatives.map((word) => toPhrase(word, false))];
  const distinct = new Map(phrases.map((phrase) => [patternOf(phrase), phrase]));
  return [...distinct.values()].filter(({ words }) => words.length > 0);
}

function toPhrase(text: string, prefix: boolean): Phrase {
  const words = wordsOf(text);
  const last = words.at(-1);
  return { words, isOpen: prefix && last !== undefined && !isUnspaced(last) };
}

function partOf({ words, isOpen }: Phrase): ExpressionPart {
  const text = words.join(' ');
  if (!isOpen) return `"${text}"`;
  const isLong = text.length > Math.max(...indexedBeginnings);
  return words.length === 1 && isLong ? { beginning: text } : openText(text);
}

function patternOf({ words, isOpen }: Phrase): string {
  return ` ${words.join(' ')}${isOpen ? '' : ' '}`;
}

function joined(parts: readonly ExpressionPart[], separator: string): readonly ExpressionPart[] {
  return parts.flatMap((part, at) => (at > 0 ? [separator, part] : [part]));
}
