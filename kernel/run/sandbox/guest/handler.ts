/** A function of the plugin: `(input, host) => result`. */
export type GuestHandler = (input: unknown, host: object) => unknown;
