/** Names that are nobody's media: hidden ones, and what systems and network drives put beside it. */
export const ignoredNames: readonly string[] = [
  '.*',
  '@eaDir',
  '@__thumb',
  '@Recycle',
  '@Recently-Snapshot',
  '#recycle',
  '#snapshot',
  'lost+found',
  '$RECYCLE.BIN',
  'RECYCLER',
  'System Volume Information',
];
