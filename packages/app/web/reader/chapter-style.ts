/** What a chapter looks like: the book's own style sheets are not used, since they could ask for addresses. */
import type { PaperTheme } from './settings.ts';

const colours: Readonly<Record<PaperTheme, readonly [paper: string, ink: string, link: string]>> = {
  light: ['#fdfdfb', '#1c1c1a', '#1a4fa0'],
  sepia: ['#f4ecd8', '#3b2f1e', '#7a3b00'],
  dark: ['#14161b', '#dcdcd6', '#9cc1ff'],
};

/** The measures of a page, in pixels. */
export interface PageBox {
  readonly width: number;
  readonly height: number;
}

/** The space between two pages, in pixels. */
export const pageGap = 48;

/** The style sheet of a chapter whose pages have this box. */
export function chapterStyle(theme: PaperTheme, textSize: number, box: PageBox): string {
  const [paper, ink, link] = colours[theme];
  const picture = `max-width: ${box.width}px; max-height: ${Math.round(box.height * 0.8)}px;`;
  return `
    html { overflow: hidden; height: 100%; background: ${paper}; color: ${ink}; color-scheme: ${theme === 'dark' ? 'dark' : 'light'}; }
    body { margin: 0; height: ${box.height}px; column-width: ${box.width}px; column-gap: ${pageGap}px; column-fill: auto;
      font: ${textSize}%/1.55 Georgia, 'Noto Serif', serif; hyphens: auto; overflow-wrap: break-word; text-wrap: pretty; }
    p { margin: 0 0 0.75em; orphans: 2; widows: 2; }
    h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.2em 0 0.6em; break-after: avoid; text-wrap: balance; }
    canvas { ${picture} display: block; margin: 0 auto; object-fit: contain; break-inside: avoid; }
    figure, table { margin: 1em 0; break-inside: avoid; }
    blockquote { margin: 1em 1.5em; } pre { white-space: pre-wrap; }
    td, th { padding: 0.2em 0.5em; border: 1px solid; } table { border-collapse: collapse; }
    [role='link'] { color: ${link}; text-decoration: underline; cursor: pointer; }
    ::selection { background: ${link}; color: ${paper}; }
  `;
}
