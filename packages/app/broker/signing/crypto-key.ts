/** A key of the Web Crypto API, under a name that works in browsers and Node. */
export type Key = InstanceType<typeof CryptoKey>;
