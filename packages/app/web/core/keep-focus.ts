/**
 * The focus is not lost while the page changes below it. Where the element that has it is replaced, the
 * new one gets it; where it is taken away or hidden, the next one of the same list, form or section; where it
 * cannot be used for a while, it gets the focus back after. Without this, a person without a mouse
 * stands at the top of the page after each action, and a screen reader says nothing.
 */
import { startOfPage } from './router.ts';
import { focusable } from './spatial.ts';

/** Where the focus was. */
interface Kept {
  readonly element: HTMLElement;
  /** From the closest one outwards. */
  readonly around: readonly Element[];
  readonly name: string;
  /** How many of the same name come before it. */
  readonly place: number;
  /** What can have the focus too, in the order of the page. */
  readonly before: readonly HTMLElement[];
  readonly after: readonly HTMLElement[];
}

/** The parts of a page within which the next element is close to the one that is gone. */
const parts = 'li, ul, ol, form, fieldset, section, dialog, details, table';

const allIn = (scope: ParentNode): readonly HTMLElement[] =>
  [...scope.querySelectorAll<HTMLElement>(focusable)].filter((one) => one.checkVisibility());

const nameOf = (one: HTMLElement): string =>
  [
    one.localName,
    one.getAttribute('name'),
    one.ariaLabel ?? one.closest('label')?.textContent ?? one.textContent,
  ].join(' ');

function keep(element: HTMLElement): Kept {
  const around: Element[] = [];
  for (let one = element.parentElement; one !== null; one = one.parentElement) around.push(one);
  const all = allIn(document);
  const at = all.indexOf(element);
  const name = nameOf(element);
  const before = all.slice(0, Math.max(0, at));
  const place = before.filter((one) => nameOf(one) === name).length;
  return { element, around, name, place, before, after: all.slice(at + 1) };
}

/** What takes the place of an element that is gone; `null` = nothing close to it. */
function replacementOf({ around, name, place, before, after }: Kept): HTMLElement | null {
  const home = around.find((one) => one.isConnected);
  if (home === undefined) return null;
  const inHome = allIn(home);
  const alike = inHome.filter((one) => nameOf(one) === name);
  const earlier = before.filter((one) => one.isConnected && !home.contains(one));
  const outside = earlier.filter((one) => nameOf(one) === name).length;
  const same = alike[Math.min(place - outside, alike.length - 1)];
  if (same !== undefined) return same;
  for (const part of around) {
    if (!part.isConnected || !part.matches(parts)) continue;
    const all = new Set(allIn(part));
    const next = after.find((one) => all.has(one)) ?? before.findLast((one) => all.has(one));
    if (next !== undefined) return next;
  }
  return null;
}

/** Starts to keep the focus, on all pages. */
export function startKeepingFocus(): void {
  let kept: Kept | null = null;
  /** The last one that was in no window over the page, for when a window closes. */
  let below: Kept | null = null;
  const isLost = (): boolean =>
    document.activeElement === null || document.activeElement === document.body;

  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.matches('main, h1')) {
      kept = null;
      return;
    }
    kept = keep(target);
    if (target.closest('dialog') === null) below = kept;
  });
  addEventListener('focusout', ({ target }) =>
    // A person who presses beside all controls wants to leave this one.
    queueMicrotask(() => {
      const isThere = target instanceof HTMLElement && target.checkVisibility();
      if (isThere && !target.matches(':disabled') && kept?.element === target) kept = null;
    }),
  );
  new MutationObserver((changes) => {
    if (kept === null) return;
    const lost = kept.element;
    // What was hidden keeps the focus until the page is drawn. To look costs a layout.
    const isGone =
      !lost.isConnected ||
      (changes.some(({ attributeName }) => attributeName === 'open') && !lost.checkVisibility());
    if (!isLost() && !(isGone && document.activeElement === lost)) return;
    if (isGone) kept = successor(kept, below);
    if (kept === null) startOfPage()?.focus();
    else if (!kept.element.matches(':disabled')) kept.element.focus();
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'open'],
  });
}

/** What gets the focus of an element that is gone: in a window that is still open, or below it. */
function successor(gone: Kept, below: Kept | null): Kept | null {
  const own = gone.around.find((one) => one.localName === 'dialog');
  const from = own === undefined || own.isConnected ? gone : below;
  if (from?.element.isConnected === true && from !== gone) return from;
  const replacement = from && replacementOf(from);
  return replacement && keep(replacement);
}
