import { fakeClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { networkTotals, openMachine } from './machine.ts'

const NETWORK = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 9000 10 0 0 0 0 0 0 9000 10 0 0 0 0 0 0
  eth0: 1500 12 0 0 0 0 0 0 700 8 0 0 0 0 0 0
wlan0:100 1 0 0 0 0 0 0 50 1 0 0 0 0 0 0
`

describe('the figures of the machine', () => {
  it('adds up all network cards but the loopback', () => {
    expect(networkTotals(NETWORK)).toEqual({ received: 1600, sent: 750 })
    expect(networkTotals('')).toEqual({ received: 0, sent: 0 })
  })

  it('gives shares of 0 to 1 and memory within what there is', () => {
    const clock = fakeClock()
    const machine = openMachine(clock)
    clock.advance(1_000)
    const { cpu, processCpu, memoryBytes, memoryTotalBytes, processMemoryBytes } = machine.read()
    for (const part of [cpu, processCpu]) expect(part >= 0 && part <= 1).toBe(true)
    expect(memoryBytes).toBeLessThanOrEqual(memoryTotalBytes)
    expect(processMemoryBytes).toBeGreaterThan(0)
  })
})
