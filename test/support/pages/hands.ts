/** How a person works with a page: by the mouse alone, or by keys alone. Both read what is shown. */
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../eventually.ts';

/** What a person looks for: its name for people, whole or as a pattern. */
type Name = string | RegExp;
type Role = 'link' | 'button' | 'checkbox' | 'combobox';

/** One way to work with a page. Text is always typed. */
export interface Hands {
  /** Opens a link. */
  readonly open: (name: Name) => Promise<void>;
  /** Presses a button. */
  readonly press: (name: Name) => Promise<void>;
  /** Writes into a field, in place of what it has. */
  readonly type: (label: Name, text: string) => Promise<void>;
  /** Ticks a box, or takes the tick away. */
  readonly tick: (label: Name, isOn: boolean) => Promise<void>;
  /** Chooses one of a list. */
  readonly choose: (label: Name, option: string) => Promise<void>;
  /** What a field has. */
  readonly read: (label: Name) => Promise<string>;
  /** Answers a page after something was done: fails if it is not clear where the person is. */
  readonly settle: (what: string) => Promise<void>;
}

/** The roles of fields that take text. */
const fields = 'input:not([type=checkbox]):not([type=radio]), textarea';

/** What can be reached: the window over the page if there is one, else the page. */
async function reachable(page: Page): Promise<Locator> {
  const windows = page.locator('dialog[open]');
  return (await windows.count()) > 0 ? windows.last() : page.locator('body');
}

/** By the mouse, at the place where each thing is drawn. A list of choices is the browser's own window. */
export function byMouse(page: Page): Hands {
  async function find(role: Role, name: Name): Promise<Locator> {
    return (await reachable(page)).getByRole(role, { name, exact: true }).first();
  }
  async function field(label: Name): Promise<Locator> {
    return (await reachable(page)).getByLabel(label).and(page.locator(fields)).first();
  }
  return {
    open: async (name) => (await find('link', name)).click(),
    press: async (name) => (await find('button', name)).click(),
    async type(label, text) {
      await (await field(label)).click({ clickCount: 3 });
      await page.keyboard.type(text);
    },
    async tick(label, isOn) {
      const box = await find('checkbox', label);
      if ((await box.isChecked()) !== isOn) await box.click();
    },
    async choose(label, option) {
      await (await find('combobox', label)).selectOption({ label: option });
    },
    read: async (label) => (await field(label)).inputValue(),
    settle: () => Promise.resolve(),
  };
}

/** More presses between two things that are done one after the other are unreasonable. */
const mostPresses = 45;

/** What is wrong with the element that has the focus, as a person sees it; `null` = nothing. */
const faultOfFocus = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return 'the focus is nowhere';
  if (one.localName === 'main' || one.localName === 'h1') return null;
  const name = one.outerHTML.slice(0, 120);
  const box = one.getBoundingClientRect();
  const isInside = box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0 &&
    box.top < innerHeight && box.left < innerWidth;
  if (!isInside) return 'the focus is outside of the window: ' + name;
  const parts = [...one.getClientRects()];
  const isSeen = parts.some(({ left, top, width, height }) =>
    [0.1, 0.5, 0.9].some((x) => [0.1, 0.5, 0.9].some((y) => {
      const found = document.elementFromPoint(left + width * x, top + height * y);
      return found !== null && (one.contains(found) || found.closest('label')?.control === one);
    })));
  if (!isSeen) return 'the focus is covered: ' + name;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
  const hasRing = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
  return hasRing ? null : 'the focus is not drawn: ' + name;
})()`;

/** Whether an element comes before the one with the focus, as one who sees the page knows. */
const isBefore = (element: unknown): boolean => {
  const one = element as Placed;
  const { activeElement: now, body } = one.ownerDocument;
  const preceding = 2;
  return (
    now !== null &&
    now !== body &&
    !one.contains(now) &&
    (now.compareDocumentPosition(one) & preceding) !== 0
  );
};

/** What a test needs of an element of a document. */
interface Placed {
  readonly ownerDocument: { readonly activeElement: Placed | null; readonly body: Placed };
  readonly contains: (other: Placed) => boolean;
  readonly compareDocumentPosition: (other: Placed) => number;
}

/**
 * By keys alone: Tab and Shift+Tab to what is looked for, then Enter, Space, arrows or text. Each stop on
 * the way must be in the window, not covered, and drawn with a ring; `walked` hears how many there were.
 */
export function byKeys(page: Page, walked: (what: string, presses: number) => void): Hands {
  const press = (key: string) => page.keyboard.press(key);

  async function reach(what: string, target: Locator): Promise<void> {
    await target.first().waitFor();
    const focused = target.and(page.locator(':focus'));
    let presses = 0;
    while ((await focused.count()) === 0) {
      if (presses === mostPresses) {
        const now = await page.evaluate('document.activeElement?.outerHTML.slice(0, 120)');
        throw new Error(`${what} is not reached with ${presses} presses of Tab: ${String(now)}`);
      }
      presses += 1;
      await press((await target.first().evaluate(isBefore)) ? 'Shift+Tab' : 'Tab');
      const fault = await page.evaluate<string | null>(faultOfFocus);
      if (fault !== null) throw new Error(`On the way to ${what}, ${fault}`);
    }
    walked(what, presses);
  }

  async function to(role: Role, name: Name): Promise<void> {
    const scope = await reachable(page);
    await reach(`${role} ${name}`, scope.getByRole(role, { name, exact: true }));
  }
  async function toField(label: Name): Promise<void> {
    const scope = await reachable(page);
    await reach(`field ${label}`, scope.getByLabel(label).and(page.locator(fields)));
  }

  return {
    async open(name) {
      await to('link', name);
      await press('Enter');
    },
    async press(name) {
      await to('button', name);
      await press('Enter');
    },
    async type(label, text) {
      await toField(label);
      await press('Control+a');
      await page.keyboard.type(text);
    },
    async tick(label, isOn) {
      await to('checkbox', label);
      if ((await page.locator(':focus').isChecked()) !== isOn) await press('Space');
    },
    async choose(label, option) {
      await to('combobox', label);
      const chosen = page.locator(':focus option:checked').filter({ hasText: option });
      const options = await page.locator(':focus option').count();
      await press('Home');
      for (let at = 1; at < options && (await chosen.count()) === 0; at += 1)
        await press('ArrowDown');
    },
    async read(label) {
      await toField(label);
      return page.locator(':focus').inputValue();
    },
    async settle(what) {
      let fault: string | null = null;
      await eventually(`after ${what} it is clear where the focus is`, async () => {
        fault = await page.evaluate<string | null>(faultOfFocus);
        return fault === null;
      }).catch((error: unknown) => {
        throw new Error(`After ${what}, ${fault}`, { cause: error });
      });
    },
  };
}
