/** Converts any value to a string as JavaScript does; guest values have no static types. */
export const toText: (value: unknown) => string = String;
