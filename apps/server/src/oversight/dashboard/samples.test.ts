import { SAMPLE_EVERY_MS, SAMPLES_KEPT } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { createSamples, type SampledNode } from './samples.ts'

function nodeAt(id: string, at: number): SampledNode {
  const figures = { cpu: 0.5, processCpu: 0.1, memoryBytes: 1, memoryTotalBytes: 2, processMemoryBytes: 1 }
  const sample = { at, ...figures, receivedPerSecond: null, sentPerSecond: null, connections: 3 }
  const facts = { host: `host-${id}`, version: '1.0.0', runtime: 'Node', system: 'Linux', processors: 2, startedAt: 0 }
  return { id, ...facts, sample }
}

describe('the samples of nodes', () => {
  it('keeps one hour of each node and forgets what is older', () => {
    const samples = createSamples()
    for (let count = 1; count <= SAMPLES_KEPT + 5; count++) samples.add(nodeAt('a', count * SAMPLE_EVERY_MS))
    const kept = samples.of('a', 0)
    expect(kept).toHaveLength(SAMPLES_KEPT)
    expect(kept[0]?.at).toBe(6 * SAMPLE_EVERY_MS)
    expect(samples.of('a', (SAMPLES_KEPT + 3) * SAMPLE_EVERY_MS)).toHaveLength(2)
    expect(samples.of('unknown', 0)).toEqual([])
  })

  it('lists the nodes that still report, by their host', () => {
    const samples = createSamples()
    samples.add(nodeAt('b', 100_000))
    samples.add(nodeAt('a', 100_000))
    samples.add(nodeAt('silent', 30_000))
    expect(samples.nodes(100_001).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(samples.of('silent', 0)).toEqual([])
  })

  it('remembers 64 nodes, however many names it is given', () => {
    const samples = createSamples()
    for (let count = 0; count < 100; count++) samples.add(nodeAt(`node-${count}`, 1_000 + count))
    expect(samples.nodes(1_100)).toHaveLength(64)
    expect(samples.of('node-0', 0)).toEqual([])
  })
})
