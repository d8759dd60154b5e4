/**
 * What several sources bring, in the order in which it comes. Each is asked for its next item before the last one is handed
 * on. The first failure ends all.
 */
export async function* asTheyCome<Item>(sources: ReadonlyArray<AsyncGenerator<Item>>): AsyncGenerator<Item> {
  const coming = new Map(sources.map((source) => [source, nextOf(source)]))
  try {
    while (coming.size > 0) {
      const { source, step } = await Promise.race(coming.values())
      if (step.done === true) coming.delete(source)
      else {
        coming.set(source, nextOf(source))
        yield step.value
      }
    }
  } finally {
    // What the others still bring, or fail with, nobody waits for any more; but they have ended when this has.
    await Promise.allSettled(sources.map((source) => source.return(undefined)))
  }
}

interface Step<Item> {
  readonly source: AsyncGenerator<Item>
  readonly step: IteratorResult<Item>
}

function nextOf<Item>(source: AsyncGenerator<Item>): Promise<Step<Item>> {
  const next = source.next().then((step) => ({ source, step }))
  // A failure is met when its turn comes.
  next.catch(() => {})
  return next
}
