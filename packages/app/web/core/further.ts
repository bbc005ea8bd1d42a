/** What only some pages need, those for admins and of the account among them: their styles and their words. */
import { loadFurtherMessages } from './messages.ts';

let loading: Promise<void> | null = null;

/** A page works without its styles, so it does not fail with them. */
function loadStyles(): Promise<void> {
  loading ??= new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = document.querySelector<HTMLMetaElement>('meta[name=further-styles]')?.content ?? '';
    link.onload = () => resolve();
    link.onerror = () => resolve();
    document.head.append(link);
  });
  return loading;
}

/** Resolves when styles and words are there. */
export const loadFurther = (): Promise<unknown> =>
  Promise.all([loadStyles(), loadFurtherMessages()]);
