export { createAuthorKit, type AuthorKit, type KitFile } from './author-kit.ts';
