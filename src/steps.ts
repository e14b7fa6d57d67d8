/** What is done for a request: its wait to be taken on, its operation, and the statements of that. */
export type Step = 'admission' | 'operation' | 'statement';

/** Is told of what is done for one request, where somebody wants to know. */
export interface Steps {
  /** A step begins; `about` names an operation, or is the text of a statement. Gives what is to be called at its end. */
  begin(step: Step, about?: string): (error?: unknown) => void;
  /** The answer was kept: no step is done for it. */
  noteKept?(): void;
}

/** Does a step, and tells of its beginning and its end. */
export function takeStep<Result>(
  steps: Steps | undefined,
  step: Step,
  about: string | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  return steps === undefined ? run() : takeWatched(steps.begin(step, about), run);
}

async function takeWatched<Result>(
  end: (error?: unknown) => void,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await run();
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}
