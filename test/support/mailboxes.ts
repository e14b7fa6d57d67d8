import type { Mailbox } from '../../src/feed/mailbox.ts';

/** The next message of a mailbox, waited for; null where it was full or interrupted. */
export async function takeFrom<Message>(mailbox: Mailbox<Message>): Promise<Message | null> {
  for (let next = mailbox.take(); ; next = mailbox.take()) {
    if (next !== null || mailbox.isFull || mailbox.isInterrupted) return next;
    await new Promise<void>((resolve) => {
      mailbox.reader = { onReadable: resolve };
    });
  }
}
