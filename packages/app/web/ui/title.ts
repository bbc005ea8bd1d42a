import { useEffect } from 'preact/hooks';

/** Names the page in the window and the history. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined || title === '' ? 'Vitrine' : `${title} · Vitrine`;
  }, [title]);
}
