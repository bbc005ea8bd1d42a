/**
 * Arrow keys move the focus to the nearest control in their direction, as a remote control needs
 * it. Fields, menus and players handle their own arrow keys first.
 */
/** What can have the focus. */
export const focusable =
  'a[href],button:not([disabled]),input:not([disabled]),select:not([disabled]),textarea:not([disabled]),summary,[tabindex="0"]';

interface Direction {
  readonly x: number;
  readonly y: number;
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/** How far a box is from another in a direction; `null` = it is not there. */
export function distance(
  from: DOMRectReadOnly,
  to: DOMRectReadOnly,
  { x, y }: Direction,
): number | null {
  const [ahead, aside] =
    x === 0
      ? [
          y > 0 ? to.top - from.bottom : from.top - to.bottom,
          gap(from.left, from.right, to.left, to.right),
        ]
      : [
          x > 0 ? to.left - from.right : from.left - to.right,
          gap(from.top, from.bottom, to.top, to.bottom),
        ];
  // Boxes may touch or overlap a little, as focus rings do.
  if (ahead < -Math.min(from.height, to.height, 24)) return null;
  return Math.max(0, ahead) + aside * 3;
}

function gap(a1: number, a2: number, b1: number, b2: number): number {
  const apart = Math.max(0, b1 - a2, a1 - b2);
  const centres = Math.abs((a1 + a2) / 2 - (b1 + b2) / 2);
  return apart + centres / 20;
}

function isTyping(element: Element | null): boolean {
  if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true;
  return (
    element instanceof HTMLInputElement &&
    !['button', 'checkbox', 'submit', 'radio'].includes(element.type)
  );
}

function move(direction: Direction): boolean {
  const now = document.activeElement;
  const scope = now?.closest('dialog[open]') ?? document.querySelector('dialog[open]') ?? document;
  const all = [...scope.querySelectorAll<HTMLElement>(focusable)].filter(
    (element) => element !== now && element.checkVisibility({ visibilityProperty: true }),
  );
  if (now === null || now === document.body || now.tagName === 'MAIN') {
    const first = all.find((element) => element.closest('main') !== null) ?? all[0];
    first?.focus();
    return first !== undefined;
  }
  const from = now.getBoundingClientRect();
  let best: HTMLElement | undefined;
  let least = Infinity;
  for (const element of all) {
    const far = distance(from, element.getBoundingClientRect(), direction);
    if (far !== null && far < least) [best, least] = [element, far];
  }
  best?.focus({ preventScroll: true });
  best?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return best !== undefined;
}

/** Starts arrow keys on all pages. */
export function startSpatialKeys(): void {
  addEventListener('keydown', (event) => {
    const direction = directions[event.key];
    if (direction === undefined || event.defaultPrevented) return;
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
    if (
      isTyping(document.activeElement) &&
      (direction.x !== 0 || document.activeElement?.tagName !== 'INPUT')
    )
      return;
    if (move(direction)) event.preventDefault();
  });
}
