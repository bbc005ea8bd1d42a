/** Which version of a file a client has: the validators of RFC 9110. */
export interface FileVersion {
  /** A strong entity tag: a file with another size or time gets another one. */
  readonly etag: string;
  /** An HTTP date, in whole seconds. */
  readonly lastModified: string;
}

export interface ClientVersion {
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
  readonly ifRange?: string | undefined;
}

/** The version of a file. `modifiedAt` is Unix milliseconds. */
export function versionOf(id: string, size: number, modifiedAt: number): FileVersion {
  return {
    etag: `"${id}-${size.toString(36)}-${modifiedAt.toString(36)}"`,
    lastModified: new Date(modifiedAt).toUTCString(),
  };
}

/**
 * Whether the client has this version. `If-None-Match` takes precedence over `If-Modified-Since`.
 */
export function isCurrent(version: FileVersion, client: ClientVersion): boolean {
  const { ifNoneMatch, ifModifiedSince } = client;
  if (ifNoneMatch !== undefined) {
    const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return tags.includes('*') || tags.includes(version.etag);
  }
  if (ifModifiedSince === undefined) return false;
  return Date.parse(version.lastModified) <= Date.parse(ifModifiedSince);
}

/** Whether a range may be sent: the client's other parts are of this version. */
export function allowsRange(version: FileVersion, { ifRange }: ClientVersion): boolean {
  if (ifRange === undefined) return true;
  const given = ifRange.trim();
  return given === version.etag || given === version.lastModified;
}
