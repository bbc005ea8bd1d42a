/**
 * How a catalogue is asked: search, score, fetch, write. A plugin says only what differs. All files
 * of a batch go through each step together, so that a catalogue can answer for many at once.
 */
import type {
  Identification,
  IndexCandidate,
  IndexFile,
  IndexResult,
} from '../../plugin-api/index.ts';
import { isLater } from './ask.ts';
import { choose, isSure, rank, type Entry, type Question, type Scored } from './score.ts';

/** An entry of a catalogue, as a search lists it. */
export interface ListedEntry extends Entry, Omit<IndexCandidate, 'title' | 'year' | 'confidence'> {}

/** What a search asks for; `title` may be another title of the question, and `year` left out. */
export interface Wanted {
  readonly title: string;
  readonly year?: number | undefined;
  readonly question: Question;
}

/** The entry that a file is. */
export interface Found {
  readonly id: string;
  readonly confidence: number;
  readonly file: IndexFile;
  /** As the search listed it; absent where a person chose the entry. */
  readonly entry?: ListedEntry;
}

/** Answers for many inputs, in their order. */
export type Many<Input, Output> = (
  inputs: readonly Input[],
) => Promise<readonly PromiseSettledResult<Output>[]>;

/** Asks for each input by itself. */
export const each =
  <Input, Output>(one: (input: Input) => Promise<Output>): Many<Input, Output> =>
  (inputs) =>
    Promise.allSettled(inputs.map(one));

export interface Lookup {
  /** What to ask for a file of a batch; `null` = it has nothing to ask for. */
  readonly questionOf: (file: IndexFile, batch: readonly IndexFile[]) => Question | null;
  /** Entries that may fit. An entry with an id of the question is one that fits. */
  readonly search: Many<Wanted, readonly ListedEntry[]>;
  /** All of an entry, as the server keeps it; `null` = the catalogue does not have it. */
  readonly write: Many<Found, Identification | null>;
}

/**
 * Identifies each file. Those that could not be asked about now are in `later`; nothing is fetched
 * about those that are not sure, which have `candidates`.
 */
export async function identifyFiles(
  files: readonly IndexFile[],
  lookup: Lookup,
): Promise<IndexResult> {
  const later = new Set<number>();
  const questions = files.flatMap((file, place) => {
    const question = file.match === undefined ? lookup.questionOf(file, files) : null;
    return question === null ? [] : [{ place, question }];
  });
  const searched = await searchAll(
    questions.map(({ question }) => question),
    lookup,
  );
  const found = files.map((file): Found | null =>
    file.match ? { id: file.match.id, confidence: 1, file } : null,
  );
  const candidates: (readonly IndexCandidate[])[] = files.map(() => []);
  questions.forEach(({ place }, at) => {
    const ranked = valueAt(searched, at, () => later.add(place)) ?? [];
    const chosen = choose(ranked);
    const file = files[place];
    if (chosen === null || file === undefined) return;
    const { entry, confidence } = chosen;
    if (isSure(chosen)) found[place] = { id: entry.id, confidence, file, entry };
    else candidates[place] = ranked.slice(0, mostCandidates).map(toCandidate);
  });
  const places = found.flatMap((one, place) => (one === null ? [] : [place]));
  const written = await lookup.write(found.filter((one) => one !== null));
  const results: (Identification | null)[] = files.map(() => null);
  places.forEach((place, at) => {
    results[place] = valueAt(written, at, () => later.add(place)) ?? null;
  });
  return { results, later: [...later].sort((a, b) => a - b), candidates };
}

/** As many as the server keeps. */
const mostCandidates = 8;

/** The candidates for a search of a person, best first. */
export async function candidatesFor(
  question: Question,
  lookup: Lookup,
): Promise<readonly IndexCandidate[]> {
  const [answer] = await searchAll([question], lookup);
  if (answer?.status === 'rejected') throw answer.reason;
  return (answer?.value ?? []).map(toCandidate);
}

function toCandidate({ entry, confidence }: Scored<ListedEntry>): IndexCandidate {
  const { id, title, year, overview, url, imageUrl } = entry;
  const more = { year, overview, url, imageUrl };
  const known = Object.entries(more).filter(([, value]) => value !== undefined);
  return { id, title, confidence, ...Object.fromEntries(known) };
}

type Ranked = readonly Scored<ListedEntry>[];

/** With the year, without it, and by another title, until one attempt gives a sure answer. */
async function searchAll(
  questions: readonly Question[],
  lookup: Lookup,
): Promise<readonly PromiseSettledResult<Ranked>[]> {
  const best: PromiseSettledResult<Ranked>[] = questions.map(() => ({
    status: 'fulfilled',
    value: [],
  }));
  for (const attempt of attempts) {
    const open = questions.flatMap((question, at) => {
      const wanted = isOpen(best[at]) ? attempt(question) : null;
      return wanted === null ? [] : [{ at, question, wanted }];
    });
    if (open.length === 0) continue;
    const answers = await lookup.search(open.map(({ wanted }) => wanted));
    open.forEach(({ at, question }, no) => {
      const answer = answers[no];
      if (answer === undefined) return;
      best[at] = answer.status === 'rejected' ? answer : better(best[at], question, answer.value);
    });
  }
  return best;
}

const attempts: readonly ((question: Question) => Wanted | null)[] = [
  (question) => ({ title: question.title, year: question.year, question }),
  (question) => (question.year === undefined ? null : { title: question.title, question }),
  (question) => {
    const [title] = question.otherTitles ?? [];
    return title === undefined ? null : { title, question };
  },
];

const isOpen = (answer: PromiseSettledResult<Ranked> | undefined): boolean =>
  answer?.status === 'fulfilled' && !isSure(choose(answer.value));

function better(
  before: PromiseSettledResult<Ranked> | undefined,
  question: Question,
  entries: readonly ListedEntry[],
): PromiseSettledResult<Ranked> {
  const value = rank(question, entries, (one) => one);
  const known = before?.status === 'fulfilled' ? choose(before.value) : null;
  const isBetter = (choose(value)?.confidence ?? 0) >= (known?.confidence ?? 0);
  return isBetter || before === undefined ? { status: 'fulfilled', value } : before;
}

/**
 * The value at a place; `undefined` where it could not be asked for now, or where the answer was bad
 * and others are good. A failure that all have throws: it is of the catalogue, such as a refused key.
 */
function valueAt<Value>(
  answers: readonly PromiseSettledResult<Value>[],
  at: number,
  onLater: () => void,
): Value | undefined {
  const answer = answers[at];
  if (answer?.status === 'fulfilled') return answer.value;
  const isOfAll = answers.every(({ status }) => status === 'rejected');
  if (answer !== undefined && !isLater(answer.reason) && isOfAll) throw answer.reason;
  onLater();
  return undefined;
}
