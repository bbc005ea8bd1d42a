import type { IconName } from './icon.tsx';

const icons: Readonly<Record<string, IconName>> = {
  movies: 'film',
  tv: 'tv',
  music: 'music',
  audiobooks: 'audiobook',
  books: 'book',
  photos: 'photo',
};

export const libraryIcon = (type: string): IconName => icons[type] ?? 'folder';
