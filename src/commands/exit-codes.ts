/** What the program ends with, and when. A second signal ends it with 128 and the signal's number. */
export const EXIT_CODES = { done: 0, failure: 1, usage: 2, notReady: 3, heldUp: 4 } as const;

/** The same in words, for the help and the documentation. */
export const EXIT_CODE_MEANINGS: readonly (readonly [code: string, meaning: string])[] = [
  [String(EXIT_CODES.done), 'done, or stopped in good order when asked to'],
  [String(EXIT_CODES.failure), 'failed, for the reason on standard error; what was whole is kept'],
  [String(EXIT_CODES.usage), 'the command line or a setting cannot be taken; nothing was begun'],
  [String(EXIT_CODES.notReady), 'status only: no gateway that is ready answers here'],
  [
    String(EXIT_CODES.heldUp),
    'status only: ingest is held up at a block that it cannot apply, whether a gateway is ready or not',
  ],
  ['130, 143', 'ended at once by a second Ctrl-C or SIGTERM'],
];
