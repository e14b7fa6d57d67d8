/** The addresses of the servers that are read: one that may be the primary, and replicas. */
export interface ReadPlaces {
  readonly url: string;
  readonly replicaUrls: readonly string[];
}

interface DatabaseSettings {
  readonly url: string | null;
  readonly readerUrl: string | null;
  readonly replicaUrls: readonly string[] | null;
}

/** The server that was opened; with replicas, those of the settings: it may have been one of them. */
export function readPlaces({ url, readerUrl, replicaUrls }: DatabaseSettings, opened: string): ReadPlaces {
  return replicaUrls === null
    ? { url: opened, replicaUrls: [] }
    : { url: readerUrl ?? url ?? opened, replicaUrls };
}
