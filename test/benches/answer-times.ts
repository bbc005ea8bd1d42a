/** How long a server's answers take, asked all the time while phases change. */
import type { AttackedServer } from '../faults/attacked-server.ts';
import { createClient } from './load.ts';

/** What is asked all the time, and by which words the page names it. */
export const questions = {
  health: '`GET /api/health`',
  items: '`GET /api/items`',
  search: '`GET /api/search`, which asks a built-in plugin',
  plugin: 'an action of another plugin that reads its store',
  writer: 'an action of another plugin that writes into its store',
} as const;

export type Question = keyof typeof questions;

export const questionNames = Object.keys(questions) as readonly Question[];

/** Asks without an end. */
export interface AnswerWatch {
  /** From now on answers belong to this phase; one that was under way belongs to both its ends. */
  readonly enter: (phase: string) => void;
  /** Milliseconds of the answers of those phases that are wanted. */
  readonly times: (question: Question, isWanted: (phase: string) => boolean) => readonly number[];
  /** What failed, or took over 10 s, so far. */
  readonly faults: readonly string[];
  /** Resolves when the last answer is there. */
  readonly stop: () => Promise<void>;
}

const pauseMs = 20;
const longestMs = 10_000;

interface Answer {
  readonly question: Question;
  readonly phases: readonly string[];
  readonly ms: number;
}

/** Begins to ask, each question on a connection of its own and one at a time. */
export function watchAnswers(server: AttackedServer, firstPhase: string): AnswerWatch {
  const clients = {
    health: createClient(server.url),
    items: createClient(server.url),
    search: createClient(server.url),
  };
  const answers: Answer[] = [];
  const faults: string[] = [];
  let phase = firstPhase;
  let isOver = false;

  const ask: Readonly<Record<Question, () => Promise<number>>> = {
    health: () => clients.health.time('/api/health'),
    items: () => clients.items.time('/api/items?limit=50'),
    search: () => clients.search.time('/api/search?q=film'),
    plugin: () => timeOf(server.askGood('ask')),
    writer: () => timeOf(server.askGood('keep')),
  };

  async function keepAsking(question: Question): Promise<void> {
    while (!isOver) {
      const before = phase;
      try {
        const ms = await ask[question]();
        if (ms > longestMs) faults.push(`${question} took ${Math.round(ms)} ms (${before})`);
        answers.push({ question, phases: before === phase ? [phase] : [before, phase], ms });
      } catch (error) {
        faults.push(`${question}: ${String(error)} (${before})`);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  const asking = Promise.all(questionNames.map(keepAsking));
  return {
    enter: (next) => {
      phase = next;
    },
    times: (question, isWanted) =>
      answers.flatMap((one) =>
        one.question === question && one.phases.some(isWanted) ? [one.ms] : [],
      ),
    faults,
    stop: async () => {
      isOver = true;
      await asking;
      for (const client of Object.values(clients)) client.close();
    },
  };
}

async function timeOf(answer: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await answer;
  return performance.now() - start;
}
