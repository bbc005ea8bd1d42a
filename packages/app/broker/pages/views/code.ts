import type { CodeFound } from '../../service/web-api.ts';
import { post, Refusal } from '../api.ts';
import { buttonOf, el, fill } from '../../../../lib/page-kit/index.ts';
import { attempt } from '../form.ts';
import type { PageParts } from '../page.ts';

const groupLength = 4;

/**
 * Takes the eight digits that a device shows. A link fills in the fields, but the user must
 * confirm.
 */
export async function codeView({ place, go }: PageParts): Promise<void> {
  document.title = 'Enter a code · Vitrine identity';
  place.classList.add('narrow');
  const boxes = [box('First four digits'), box('Last four digits')] as const;
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  const button = buttonOf('Continue', { type: 'submit', class: 'primary' });
  const code = (): string => boxes.map(({ value }) => value).join('');
  const element = el(
    'form',
    { class: 'form' },
    el(
      'fieldset',
      { class: 'code', 'aria-describedby': 'code-hint' },
      el('legend', {}, 'Code on your device'),
      ...boxes,
    ),
    el(
      'p',
      { class: 'quiet', id: 'code-hint' },
      'Eight digits. Continue only if you have just started this yourself, on a device in front of you.',
    ),
    problem,
    button,
  );
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(button, problem, async () => {
      if (!/^\d{8}$/.test(code())) throw new Refusal('code_malformed', 'A code has eight digits.');
      const { requestId } = await post<CodeFound>('code', { code: code() });
      go(`/pair/${requestId}`);
    });
  });
  spread(boxes);
  const given = takeCode();
  if (given !== null) setDigits(boxes, given);
  fill(place, el('h1', { tabindex: -1 }, 'Pair an app'), el('div', { class: 'card' }, element));
  (given === null ? boxes[0] : button).focus();
}

type Boxes = readonly [HTMLInputElement, HTMLInputElement];

const box = (label: string): HTMLInputElement =>
  el('input', {
    'aria-label': label,
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    pattern: '[0-9]{4}',
    required: true,
    placeholder: '0000',
  });

function setDigits([first, second]: Boxes, digits: string): void {
  first.value = digits.slice(0, groupLength);
  second.value = digits.slice(groupLength, 2 * groupLength);
}

/** Distributes typed or pasted digits over the two fields. */
function spread(boxes: Boxes): void {
  const [first, second] = boxes;
  first.addEventListener('input', () => {
    const digits = digitsOf(first.value);
    if (digits.length > groupLength) setDigits(boxes, digits);
    else first.value = digits;
    if (digits.length >= groupLength) second.focus();
  });
  second.addEventListener('input', () => {
    second.value = digitsOf(second.value).slice(0, groupLength);
  });
  second.addEventListener('keydown', ({ key }) => {
    if (key === 'Backspace' && second.value === '') first.focus();
  });
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * The code from the fragment of a scanned address, removed from the address bar and the history.
 */
function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname);
  return code !== null && /^\d{8}$/.test(code) ? code : null;
}
