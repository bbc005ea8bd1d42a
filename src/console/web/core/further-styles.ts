/** The styles that only some pages need: those for admins and for readers. */
let loading: Promise<void> | null = null;

/** Resolves when they are there, or cannot be had; the page works without them. */
export function furtherStyles(): Promise<void> {
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
