let last: Promise<unknown> = Promise.resolve()

/**
 * Runs work on the session's tokens after what others do with them, over all tabs. A page without TLS has no locks of the
 * browser; there the turns are this tab's own.
 */
export async function takeTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  // Missing outside a secure context, whatever the types say.
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks !== undefined) return locks.request('godwit.refresh', work)
  const turn = last.then(work)
  last = turn.catch(() => undefined)
  return turn
}
