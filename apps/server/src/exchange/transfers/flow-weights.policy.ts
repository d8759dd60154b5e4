import type { Sharer } from '../../content/account-speeds/index.ts'

interface Flow {
  readonly sharer: Sharer
}

/** No transfer weighs more: whoever else is on its line, such as a web page, loses no more to it than to two. */
const MOST = 2
/** One that weighs less would take long to notice that the line has become free. */
const LEAST = 0.1

/**
 * As how many equals each transfer competes on a line that nobody has set a limit for. All transfers of an account have
 * together what the weight of the account gives them; where that is the same for every transfer, all are equals. The transfers of
 * one account alone are so, too: it loses nothing to others outside.
 */
export function flowWeights<F extends Flow>(flows: readonly F[]): ReadonlyMap<F, number> {
  const counts = new Map<string, number>()
  for (const { sharer } of flows) counts.set(sharer.key, (counts.get(sharer.key) ?? 0) + 1)
  const parts = new Map(flows.map((flow) => [flow, flow.sharer.weight / (counts.get(flow.sharer.key) ?? 1)]))
  const sum = [...parts.values()].reduce((all, part) => all + part, 0)
  // Together they weigh as many as they are, unless one of them would have too much.
  const scale = Math.min(flows.length / sum, MOST / Math.max(...parts.values()))
  return new Map([...parts].map(([flow, part]) => [flow, rounded(Math.max(LEAST, part * scale))]))
}

function rounded(weight: number): number {
  return Math.round(weight * 100) / 100
}
