import { SAMPLES_KEPT, type DashboardNode, type NodeSample } from '@godwit/contract'

/** What a node says of itself with each sample. */
export type SampledNode = DashboardNode

/** Nodes that are remembered; more than any installation has. */
const NODES_MAX = 64
/** A node that said nothing for so long is not running any more. */
const GONE_MS = 60_000

interface Known {
  node: SampledNode
  /** Oldest first. */
  readonly samples: NodeSample[]
}

export interface Samples {
  add(node: SampledNode): void
  /** Those that are running, by host and start. */
  nodes(now: number): readonly SampledNode[]
  /** Of one node, taken after `since`; oldest first. */
  of(id: string, since: number): readonly NodeSample[]
}

/** The last hour of every node, in memory: bounded by number of samples and of nodes. */
export function createSamples(): Samples {
  const known = new Map<string, Known>()

  function makeRoom(): void {
    if (known.size < NODES_MAX) return
    const [oldest] = [...known.values()].toSorted((one, other) => one.node.sample.at - other.node.sample.at)
    if (oldest !== undefined) known.delete(oldest.node.id)
  }

  return {
    add(node) {
      const held = known.get(node.id)
      if (held === undefined) makeRoom()
      const samples = held?.samples ?? []
      samples.push(node.sample)
      if (samples.length > SAMPLES_KEPT) samples.shift()
      known.set(node.id, { node, samples })
    },
    nodes(now) {
      for (const [id, { node }] of known) if (node.sample.at < now - GONE_MS) known.delete(id)
      const nodes = [...known.values()].map(({ node }) => node)
      return nodes.toSorted((one, other) => one.host.localeCompare(other.host) || one.startedAt - other.startedAt)
    },
    of: (id, since) => (known.get(id)?.samples ?? []).filter(({ at }) => at > since),
  }
}
