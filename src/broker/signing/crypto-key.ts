/** A key of the Web Crypto API, by a name that browsers and Node have in common. */
export type Key = InstanceType<typeof CryptoKey>;
