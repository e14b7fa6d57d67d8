/** A release of the network, as far as the gateway takes it in. */
export interface NetworkRelease {
  readonly release: string;
  /** The oldest that it stands for, where it is for several: what fields were of another type there, `ingest/protocol/strict.ts` says. */
  readonly from?: string;
  /** What of its events on the nouns that are kept is passed over all the same, as sentences; empty where nothing is. */
  readonly passesOver: string;
}

/**
 * The releases of the network that this version knows whole: their enumerations (`enumerations.ts` says which release
 * brought a number), their fields (the .proto files of `ingest/protocol/` say it) and their products. Kinds of events that
 * are not kept, such as orders, are passed over in all of them.
 */
export const KNOWN_RELEASES: readonly NetworkRelease[] = [
  {
    release: '0.71',
    from: '0.63',
    passesOver: 'The oracles of products, the rationale and the terms of changes of proposals.',
  },
  { release: '0.72', passesOver: '' },
  {
    release: '0.73',
    passesOver:
      'What parties are let off their fees, which is one factor for all of them until release 0.78.',
  },
  {
    release: '0.74',
    passesOver: 'The oracles of composite prices. The team of a reward, which its event does not name.',
  },
  { release: '0.75', passesOver: '' },
  { release: '0.76', passesOver: '' },
  { release: '0.77', passesOver: 'Which party an automated market maker belongs to.' },
  { release: '0.78', passesOver: '' },
  { release: '0.79', passesOver: '' },
];

/** The newest release of the network whose events, enumerations and products this version of the gateway knows. */
export const NEWEST_RELEASE = '0.79';
