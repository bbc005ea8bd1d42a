/** What the person chose for reading, kept in this browser. */
import { signal } from '@preact/signals';

/** The colours of a page. */
export const paperThemes = ['light', 'sepia', 'dark'] as const;
export type PaperTheme = (typeof paperThemes)[number];

/** The colours that come after these when one goes through them. */
export const nextTheme = (theme: PaperTheme): PaperTheme =>
  paperThemes[(paperThemes.indexOf(theme) + 1) % paperThemes.length] ?? 'light';

/** The choices. */
export interface ReadingSettings {
  readonly theme: PaperTheme;
  /** In percent of the usual size. */
  readonly textSize: number;
  readonly fit: 'page' | 'width';
  readonly isDouble: boolean;
}

const key = 'reading';
export const textSizes = { least: 70, most: 250, step: 15 } as const;
const usual: ReadingSettings = { theme: 'light', textSize: 100, fit: 'page', isDouble: false };

/** Reads choices that were kept; what is not one of them is the usual. */
export function readSettings(text: string | null): ReadingSettings {
  try {
    const kept = JSON.parse(text ?? '{}') as Readonly<Record<string, unknown>> | null;
    const { theme, textSize, fit, isDouble } = kept ?? {};
    return {
      theme: paperThemes.find((one) => one === theme) ?? usual.theme,
      textSize:
        typeof textSize === 'number' && textSize >= textSizes.least && textSize <= textSizes.most
          ? textSize
          : usual.textSize,
      fit: fit === 'width' ? 'width' : 'page',
      isDouble: isDouble === true,
    };
  } catch {
    return usual;
  }
}

/** The choices of this browser. */
export const settings = signal(readSettings(localStorage.getItem(key)));

/** Changes some of them, and keeps them. */
export function choose(changes: Partial<ReadingSettings>): void {
  settings.value = { ...settings.peek(), ...changes };
  localStorage.setItem(key, JSON.stringify(settings.peek()));
}
