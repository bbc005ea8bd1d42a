/** The most segments that one process makes. */
export const mostSegments = 100;
