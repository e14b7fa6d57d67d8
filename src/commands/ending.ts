/** How a command ends where nothing fails. */
export interface Ending {
  /** What is said of one that is stopped before its end, which has failed then; null where the stop is its end. It is asked for then. */
  readonly stopped: string | null;
  /** Whether what it prints is what it is for: it has failed where that is lost. */
  readonly printsResult?: true;
}

/** Of what is asked for a result: whoever waits for it must not take the stop for one. */
export const GIVES_RESULT: Ending = { stopped: 'Stopped: there is no result.', printsResult: true };

/** Of what serves or takes in until it is stopped. */
export const RUNS_UNTIL_STOPPED: Ending = { stopped: null };
