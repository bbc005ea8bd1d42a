/** What JavaScript makes of any value where a text is wanted; guests are not typed at run time. */
export const toText: (value: unknown) => string = String;
