import type { ComponentChildren } from 'preact';
import { RefusedError } from '../client/src/index.ts';
import type { Asked } from './asked.ts';
import { blockNamedBy, isForgotten } from './connection.ts';
import { write } from './decimals.ts';
import { at, hrefOf, showAt } from './place.ts';

/** What was found in an answer, or the state that is there instead of it, with the remedy. */
export function Found<Data, Value>({ asked, find, what, children }: FoundProps<Data, Value>) {
  const { data, error, variables } = asked;
  const value = data && find(data);
  const askedAt = variables['at'] as string | null | undefined;
  const isFinal = isForgotten(error, variables['height']);
  if (value === null || value === undefined) {
    // That there was no such thing at another block says nothing of the one that could not be asked about.
    if (error) return <Trouble error={error} askedAt={askedAt} isFinal={isFinal} />;
    if (data === null) return <Waiting what={what} />;
    return <NotFound what={what} askedAt={askedAt ?? null} />;
  }
  return (
    <>
      {error && <Trouble error={error} askedAt={askedAt} isFinal={isFinal} isOld />}
      {children(value)}
    </>
  );
}

interface FoundProps<Data, Value> {
  readonly asked: Asked<Data>;
  readonly find: (data: Data) => Value | null | undefined;
  /** What is asked for, as `market`. */
  readonly what: string;
  readonly children: (value: Value) => ComponentChildren;
}

function Waiting({ what }: { readonly what: string }) {
  return <p class="quiet state-note">Waiting for the {what}…</p>;
}

/** Names the block that was answered about: another may be asked about meanwhile. */
function NotFound({ what, askedAt }: { readonly what: string; readonly askedAt: string | null }) {
  return (
    <div class="state-note">
      <p role="alert">
        {askedAt === null
          ? `The network has no such ${what}.`
          : `The network had no such ${what} at block ${write(askedAt).whole}.`}
      </p>
      <p class="quiet">
        {askedAt === null ? (
          <>
            Look for it with the search above, or go to <a href={hrefOf(null)}>the network</a>.
          </>
        ) : (
          <>
            It may have come later: <NewestButton />.
          </>
        )}
      </p>
    </div>
  );
}

/** Why there is no answer, in the gateway's words, and what can be done about it. Old rows may stand below. */
export function Trouble({ error, askedAt = at.value, isOld = false, isFinal = false }: TroubleProps) {
  const isRefused = error instanceof RefusedError;
  const block = blockNamedBy(error, askedAt);
  return (
    <div class="state-note">
      <p class="problem" role="alert">
        {isRefused ? error.message : 'The gateway gave no answer.'}
      </p>
      {(isOld || !isFinal) && (
        <p class="quiet">
          {isOld && 'What is shown is from before. '}
          {block !== null && askedAt !== null ? (
            <>
              <button type="button" class="as-link" onClick={() => showAt(block)}>
                Show block {write(block).whole}
              </button>{' '}
              or <NewestButton />.
            </>
          ) : (
            !isFinal && 'It is asked again with the next block.'
          )}
        </p>
      )}
    </div>
  );
}

interface TroubleProps {
  readonly error: Error;
  /** The block that was asked about: that which is shown, unless it is given. */
  readonly askedAt?: string | null | undefined;
  readonly isOld?: boolean;
  /** Whether it is asked no more. */
  readonly isFinal?: boolean;
}

function NewestButton() {
  return (
    <button type="button" class="as-link" onClick={() => showAt(null)}>
      show the newest block
    </button>
  );
}
