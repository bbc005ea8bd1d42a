const articleBehind =
  /^(.{1,200}), ?(the|an?|le|la|les|un|une|der|die|das|el|los|las|il|lo|gli|de|het|den|det|os?|as)$/i;

/** `Lantern Keeper, The` in its normal order: `The Lantern Keeper`. */
export function inSpokenOrder(title: string): string {
  if (!title.includes(',')) return title;
  const match = articleBehind.exec(title);
  return match === null ? title : `${match[2] ?? ''} ${match[1] ?? ''}`;
}
