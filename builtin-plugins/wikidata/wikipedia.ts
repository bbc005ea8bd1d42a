/** Summaries from Wikipedia, in the first language that has an article, and in those of the library. */
import type { Ask } from '../catalogue-lookup/ask.ts';
import { languageIn } from '../catalogue-lookup/languages.ts';
import { textOf, type Part } from '../catalogue-lookup/values.ts';
import { pagesOf, portions } from './entities.ts';
import { articleIn } from './search.ts';

/** A summary, and where it is from. */
export interface Summary {
  readonly text: string;
  readonly url: string;
}

/** The article of an item. */
interface Article {
  readonly language: string;
  readonly title: string;
}

/** Asks the Wikipedia of a language. */
export type AskIn = (language: string) => Ask;

/** One question has at most so many introductions. */
const atOnce = 20;
const longest = 1500;

/** Its terms (CC BY-SA) ask for this with each text. */
const credit = 'Wikipedia, CC BY-SA 4.0';

/** Each further language costs one question for a batch of films. */
const mostFurther = 2;

/** In which languages summaries are wanted. */
export interface SummaryLanguages {
  /** Best first. */
  readonly languages: readonly string[];
  /** Those of the library: texts in all of them are shown. */
  readonly textLanguages: readonly string[];
}

/** The summaries of items. */
export interface Summaries {
  /** In the first language that has an article. */
  readonly best: (id: unknown) => Summary | undefined;
  readonly inLanguage: (id: unknown, language: string) => Summary | undefined;
}

/** Asks each Wikipedia once for the summaries of these items. */
export async function summariesOf(
  items: readonly Part[],
  askIn: AskIn,
  { languages, textLanguages }: SummaryLanguages,
): Promise<Summaries> {
  const further = textLanguages.length < 2 ? [] : textLanguages.slice(0, 1 + mostFurther);
  const articles = items.flatMap((item) => {
    const own = [languages, ...further.map(withBase)].flatMap((one) => articleOf(item, one) ?? []);
    return own.map((article) => ({ id: item['id'], ...article }));
  });
  const asked = [...new Set(articles.map(({ language }) => language))].map(async (language) => {
    const own = articles.filter((one) => one.language === language);
    const texts = await textsIn(
      own.map(({ title }) => title),
      askIn(language),
    );
    return own.flatMap(({ id, title }) => {
      const text = texts.get(title);
      const key = `${String(id)} ${language}`;
      return text === undefined ? [] : [[key, summary(text, { language, title })] as const];
    });
  });
  const found = new Map((await Promise.all(asked)).flat());
  const inFirst = (id: unknown, tags: readonly string[]): Summary | undefined => {
    const item = items.find((one) => one['id'] === id);
    const article = item && articleOf(item, tags);
    return article && found.get(`${String(id)} ${article.language}`);
  };
  return {
    best: (id) => inFirst(id, languages),
    inLanguage: (id, language) => inFirst(id, withBase(language)),
  };
}

const withBase = (tag: string): readonly string[] => [...new Set([tag, languageIn(tag)])];

function articleOf(item: Part, languages: readonly string[]): Article | undefined {
  return languages
    .map((language) => ({ language, title: articleIn(item, language) }))
    .find((one): one is Article => one.title !== undefined && !one.title.includes('|'));
}

async function textsIn(titles: readonly string[], ask: Ask): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(titles)];
  const replies = await Promise.all(
    portions(wanted, atOnce).map((portion) =>
      ask(
        `/w/api.php?action=query&format=json&formatversion=2&prop=extracts&exintro=1&explaintext=1&exlimit=max&titles=${portion.map(encodeURIComponent).join('%7C')}`,
      ),
    ),
  );
  const pages = replies.flatMap(pagesOf);
  return new Map(
    pages.flatMap(({ title, extract }) => {
      const [name, text] = [textOf(title), textOf(extract)];
      return name === undefined || text === undefined ? [] : [[name, text] as const];
    }),
  );
}

function summary(text: string, { language, title }: Article): Summary {
  const short =
    text.length <= longest ? text : `${text.slice(0, text.lastIndexOf(' ', longest))} …`;
  const path = encodeURIComponent(title.replaceAll(' ', '_'));
  return {
    text: `${short}\n\n(${credit})`,
    url: `https://${language}.wikipedia.org/wiki/${path}`,
  };
}
