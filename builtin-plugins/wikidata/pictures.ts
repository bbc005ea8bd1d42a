/** The addresses of pictures. */

/** The address of a file of Commons, made smaller there. */
export const fileAddress = (base: string, name: string, width: number): string =>
  `${base}/${encodeURIComponent(name.replaceAll(' ', '_'))}?width=${width}`;
